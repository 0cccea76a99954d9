package io.millrace.spring.data.spanner;

import io.millrace.internal.LogSafe;
import org.springframework.dao.DataAccessResourceFailureException;

/** The SQL dialect of a Spanner database is not known. */
final class UnknownDialectException extends DataAccessResourceFailureException {

  private static final long serialVersionUID = 1L;

  UnknownDialectException(String why, Throwable cause) {
    super(
        "It is not known whether the Spanner database uses GoogleSQL or PostgreSQL, because "
            + LogSafe.line(why)
            + "; set the system property "
            + SpannerSql.PROPERTY
            + " to googlesql or postgresql",
        cause);
  }
}
