package io.millrace.perf;

import java.time.Duration;

/**
 * The workload of a run: clients that repeatedly take a value and spend the application's time.
 *
 * @param mode how values are taken
 * @param iterations the number of values to take, over all clients
 * @param clients the number of concurrent clients
 * @param perTransaction the number of values that a transaction takes, if the mode takes several
 * @param application what the application does with each value
 * @param appLatency the application's time with each value
 * @param warmUp how long the clients work before the clock starts; zero for a cold start
 * @param timeLimit when to stop, even if iterations are left
 */
record Workload(
    Mode mode,
    int iterations,
    int clients,
    int perTransaction,
    Application application,
    Duration appLatency,
    Duration warmUp,
    Duration timeLimit) {

  Workload with(Mode newMode, int newClients) {
    return new Workload(
        newMode,
        iterations,
        newClients,
        perTransaction,
        application,
        appLatency,
        warmUp,
        timeLimit);
  }

  /** The same work in the mode to compare with. */
  Workload comparison() {
    return with(mode.comparison(), clients);
  }

  /** Whether every client holds a session at the same time. */
  boolean holdsSessions() {
    return mode.holdsSessions() || application == Application.TRANSACTION;
  }

  /** The number of values that a client takes in a turn. */
  int perTurn() {
    return mode.takesSeveral() ? perTransaction : 1;
  }

  @Override
  public String toString() {
    return mode
        + (perTurn() > 1 ? " " + perTransaction + " a transaction" : "")
        + ", "
        + RunReport.count(clients, "client");
  }
}
