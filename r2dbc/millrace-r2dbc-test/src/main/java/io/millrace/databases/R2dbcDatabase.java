package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;

/** A database for one test class or one program. Its methods may block. */
public interface R2dbcDatabase extends AutoCloseable {

  /**
   * Returns what kind of database it is.
   *
   * @return the kind
   */
  DatabaseKind kind();

  /**
   * Returns the driver's own source of connections, without a pool.
   *
   * @return always the same object
   */
  ConnectionFactory connections();

  /**
   * Returns a source of connections that are used again where a new one is expensive: a process of
   * PostgreSQL's server takes tens of milliseconds to start.
   *
   * @return a pool that is disposed with the database, or the driver's own source
   */
  default ConnectionFactory pooled() {
    return connections();
  }

  /**
   * Returns the driver's own source of connections to a proxy in front of the server.
   *
   * @param port the proxy's port on this machine
   * @return a new object, without a pool
   * @throws UnsupportedOperationException if the database is not on a server of PostgreSQL, MySQL
   *     or MariaDB
   */
  default ConnectionFactory through(int port) {
    throw new UnsupportedOperationException("no proxy in front of " + kind());
  }

  /**
   * Returns the port of the server.
   *
   * @return a port on this machine
   * @throws UnsupportedOperationException as {@link #through}
   */
  default int port() {
    throw new UnsupportedOperationException("no port of " + kind());
  }

  /**
   * Runs statements one after the other, each in a transaction of its own: DDL, or DML without
   * parameters.
   *
   * @param statements in the database's dialect
   */
  void execute(String... statements);

  /** Drops the database. */
  @Override
  void close();
}
