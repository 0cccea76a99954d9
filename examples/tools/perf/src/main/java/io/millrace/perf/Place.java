package io.millrace.perf;

/** Where runs take place: an emulator, or an instance of Cloud Spanner. Its methods may block. */
interface Place extends AutoCloseable {

  /** A description to print. */
  String description();

  /** Measures the round trips. */
  RoundTrips roundTrips();

  /** Prepares a run in a mode. */
  RunDatabase open(Mode mode);

  /** Counts the requests of all runs. */
  RequestCounter requests();

  /** Runs a workload in a new database. */
  default Figures run(Workload workload) {
    return Run.of(workload, this);
  }

  @Override
  void close();
}
