package io.millrace.perf;

/** Where runs take place: an emulator, or an instance of Cloud Spanner. Its methods may block. */
interface Place extends AutoCloseable {

  /** What it is, for people. */
  String description();

  /** Prepares a run in such a mode. */
  Site open(Mode mode);

  /** Counts the requests of all runs. */
  RequestCounter requests();

  @Override
  void close();
}
