package io.millrace.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What is simulated.
 *
 * @param instances processes with a generator each
 * @param rate values asked for in a second, over all instances
 * @param pattern how the requests come
 * @param service how long a reservation holds its row's lock
 * @param roundTrip how long a reservation takes besides
 * @param rows rows that serve the sequence, 1 unless it is striped
 * @param choice how an instance chooses a row
 * @param lockOrder who is next at a row
 * @param batch values a reservation asks for, unless more are waited for
 * @param watermark values left in the buffer at which the next reservation starts; 0: none
 * @param maxBatch the most values a reservation asks for
 * @param start what the instances have at the beginning
 * @param duration nanoseconds
 * @param seed of everything random
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
    long batch,
    long watermark,
    long maxBatch,
    Start start,
    @JsonProperty("durationNanos") long duration,
    long seed) {

  /** How values are asked for; the names are what users write. */
  enum Pattern {
    poisson,
    constant
  }

  /** How an instance with several rows to choose from chooses. */
  enum RowChoice {
    two,
    roundrobin
  }

  /** Who of those who wait for a row's lock is next. */
  enum LockOrder {
    fifo,
    random
  }

  /** What the instances have buffered at the beginning. */
  enum Start {
    /** Something, as if they had run for long. */
    warm,
    /** Nothing, as if all had been started at once. */
    cold
  }

  /** Whether every reservation is for the demand of its moment and nothing is kept. */
  boolean isOrdered() {
    return batch == 1;
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
   * The most values a second that reservations of a size bring. A row serves one at a time, and an
   * instance makes one at a time.
   */
  double capacity(long size) {
    return size * Math.min(rows / (service.mean() / 1e9), instances / (trip() / 1e9));
  }

  /** The part of the time in which a row's lock is held, if each reservation is of one batch. */
  double load() {
    return rate / batch * (service.mean() / 1e9) / rows;
  }

  double seconds() {
    return duration / 1e9;
  }

  Scenario withInstances(int instances) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  Scenario withRate(double rate) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  Scenario withRows(int rows) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  Scenario withBuffer(long batch, long watermark) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  Scenario withStart(Start start) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  Scenario withDuration(long duration) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  Scenario withSeed(long seed) {
    return with(instances, rate, rows, batch, watermark, start, duration, seed);
  }

  private Scenario with(
      int instances,
      double rate,
      int rows,
      long batch,
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
        batch,
        watermark,
        Math.max(maxBatch, batch),
        start,
        duration,
        seed);
  }
}
