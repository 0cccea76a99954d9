package com.google.cloud.spanner;

/**
 * What {@code MockSpannerServiceImpl} needs of a class that is gone since 6.108.0: the query that
 * asks for a database's dialect. The last published mock is that of 6.107.0.
 */
final class SessionPool {

  static final Statement DETERMINE_DIALECT_STATEMENT =
      MultiplexedSessionDatabaseClient.DETERMINE_DIALECT_STATEMENT;

  private SessionPool() {}
}
