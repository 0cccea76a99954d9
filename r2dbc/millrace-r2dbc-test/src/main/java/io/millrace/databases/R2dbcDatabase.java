package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.function.Function;

/** A database for one test class or one program. Its methods may block. */
public interface R2dbcDatabase extends AutoCloseable {

  /** Returns the kind of the database. */
  DatabaseKind kind();

  /**
   * Returns the driver's connection factory, without a pool.
   *
   * @return always the same object
   */
  ConnectionFactory connections();

  /**
   * Returns a source that reuses connections where a new one is expensive: PostgreSQL's server
   * starts a process for it, which takes tens of milliseconds.
   *
   * @return a pool that is disposed with the database, or the driver's own source
   */
  default ConnectionFactory pooled() {
    return connections();
  }

  /**
   * Returns the driver's connection factory for a proxy in front of the server.
   *
   * @param port the port of the proxy on this machine
   * @return a new object, without a pool
   * @throws UnsupportedOperationException if the database is not on a PostgreSQL, MySQL or MariaDB
   *     server
   */
  default ConnectionFactory through(int port) {
    throw new UnsupportedOperationException("no proxy in front of " + kind());
  }

  /**
   * Returns the name of the database on its server.
   *
   * @return the name, a UUID or letters and digits
   * @throws UnsupportedOperationException if it is on the Spanner emulator
   */
  default String name() {
    throw new UnsupportedOperationException("no name of " + kind());
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
   * Runs statements one after another, each in a separate transaction: DDL, or DML without
   * parameters.
   *
   * @param statements in the database's dialect
   */
  void execute(String... statements);

  /**
   * Runs a query.
   *
   * @param sql the query, with names between double quotes
   * @param row maps a row
   * @return all rows
   */
  default <T> List<T> query(String sql, Function<Readable, T> row) {
    return Statements.query(pooled(), kind().quoted(sql), row);
  }

  /** Drops the database. */
  @Override
  void close();
}
