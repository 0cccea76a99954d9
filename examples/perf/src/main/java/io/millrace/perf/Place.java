package io.millrace.perf;

import java.util.function.IntConsumer;

/** Where runs take place: an emulator, or an instance of Cloud Spanner. Its methods may block. */
interface Place extends AutoCloseable {

  /** What it is, for people. */
  String description();

  /** Measures how far away it is. */
  RoundTrips roundTrips();

  /** Prepares a run in such a mode. */
  Site open(Mode mode);

  /** Counts the requests of all runs. */
  RequestCounter requests();

  /** Runs a workload in a database of its own, and tells from time to time how far it is. */
  default Figures run(Workload workload, IntConsumer progress) {
    return Run.of(workload, this, progress);
  }

  @Override
  void close();
}
