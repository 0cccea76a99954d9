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
