package io.millrace.torture;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The plan of a run.
 *
 * @param processes how many take values at a time
 * @param time how long
 * @param killEvery the time between two faults of processes
 * @param sizes of blocks and requests
 * @param rate values a second that a process takes in each mode, at most
 * @param proxy whether the network fails, too
 * @param sabotage whether a store issues a value twice on purpose
 * @param places about how many generators a process keeps for the names of a store; 0 for one each
 * @param seed of all random choices
 * @param directory for the tapes
 */
record Plan(
    int processes,
    Duration time,
    Duration killEvery,
    Sizes sizes,
    int rate,
    boolean proxy,
    boolean sabotage,
    int places,
    long seed,
    Path directory) {}
