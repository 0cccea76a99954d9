package io.millrace.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The scenario to simulate.
 *
 * @param instances processes with a generator each
 * @param rate values requested per second, over all instances
 * @param pattern how the requests arrive
 * @param service how long a reservation holds its row's lock
 * @param roundTrip how long a reservation takes in addition
 * @param rows counter rows of the sequence, 1 unless it is striped
 * @param choice how an instance chooses a row
 * @param lockOrder which waiting reservation acquires a row's lock next
 * @param block values in a reservation, unless more values wait
 * @param watermark values left in the buffer at which the next reservation starts; 0: none
 * @param maxBlock the most values in a reservation
 * @param start what the instances have buffered at the beginning
 * @param duration nanoseconds
 * @param seed the seed of all random numbers
 */
record Scenario(
    int instances,
    @JsonProperty("ratePerSecond") double rate,
    Pattern pattern,
    Delay service,
    Delay roundTrip,
    int rows,
    RowChoice choice,
    LockOrder lockOrder,
    long block,
    long watermark,
    long maxBlock,
    Start start,
    @JsonProperty("durationNanos") long duration,
    long seed) {

  /** How requests arrive; users write these names. */
  enum Pattern {
    poisson,
    constant
  }

  /** How an instance chooses one of several rows. */
  enum RowChoice {
    two,
    roundrobin
  }

  /** Which waiting reservation acquires a row's lock next. */
  enum LockOrder {
    fifo,
    random
  }

  /** What the instances have buffered at the beginning. */
  enum Start {
    /** A random level, as after a long time. */
    warm,
    /** Nothing, as if all were just started. */
    cold
  }

  /** Whether a reservation is as large as the demand when it begins, and nothing is kept. */
  boolean isOrdered() {
    return block == 1;
  }

  /** The mean time from one request to the next at one instance, in nanoseconds. */
  double gap() {
    return 1e9 * instances / rate;
  }

  /** The mean time of a reservation that finds its row free, in nanoseconds. */
  long trip() {
    return roundTrip.mean() + service.mean();
  }

  /**
   * The maximum number of values per second that reservations of a size can provide. A row serves
   * one reservation at a time, and an instance makes one at a time.
   */
  double capacity(long size) {
    return size * Math.min(rows / (service.mean() / 1e9), instances / (trip() / 1e9));
  }

  /**
   * The part of the time in which a row's lock is held, if each reservation is of the block size.
   */
  double load() {
    return rate / block * (service.mean() / 1e9) / rows;
  }

  double seconds() {
    return duration / 1e9;
  }

  Scenario withInstances(int instances) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  Scenario withRate(double rate) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  Scenario withRows(int rows) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  Scenario withBuffer(long block, long watermark) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  Scenario withStart(Start start) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  Scenario withDuration(long duration) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  Scenario withSeed(long seed) {
    return with(instances, rate, rows, block, watermark, start, duration, seed);
  }

  private Scenario with(
      int instances,
      double rate,
      int rows,
      long block,
      long watermark,
      Start start,
      long duration,
      long seed) {
    return new Scenario(
        instances,
        rate,
        pattern,
        service,
        roundTrip,
        rows,
        choice,
        lockOrder,
        block,
        watermark,
        Math.max(maxBlock, block),
        start,
        duration,
        seed);
  }
}
