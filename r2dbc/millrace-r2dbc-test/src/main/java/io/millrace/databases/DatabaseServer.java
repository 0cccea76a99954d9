package io.millrace.databases;

/** A database server that a test may stop and start again. Its methods may block. */
public interface DatabaseServer extends AutoCloseable {

  /**
   * Returns the port that the server listens on.
   *
   * @return a port on the loopback interface; the same after a {@link #startAgain}
   */
  int port();

  /** Stops the server, as if its machine had failed: its connections break. */
  void stop();

  /** Starts a stopped server again, on the same port and with the same data. */
  void startAgain();

  /**
   * Creates an empty database with a unique name.
   *
   * @return the database; closing it drops it
   */
  R2dbcDatabase createDatabase();

  /** Stops the server and deletes its data. */
  @Override
  void close();
}
