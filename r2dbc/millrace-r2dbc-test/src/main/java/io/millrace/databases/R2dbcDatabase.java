package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;

/** A database for one test class or one program. Its methods may block. */
public interface R2dbcDatabase extends AutoCloseable {

  /**
   * Returns the kind of the database.
   *
   * @return the kind
   */
  DatabaseKind kind();

  /**
   * Returns the driver's connection factory, without a pool.
   *
   * @return always the same object
   */
  ConnectionFactory connections();

  /**
   * Runs statements one after another, each in a separate transaction: DDL, or DML without
   * parameters.
   *
   * @param statements in the database's dialect
   */
  void execute(String... statements);

  /** Drops the database. */
  @Override
  void close();
}
