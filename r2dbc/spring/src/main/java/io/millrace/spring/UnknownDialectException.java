package io.millrace.spring;

import org.springframework.dao.DataAccessResourceFailureException;

/** The language of a Spanner database could not be found out. */
final class UnknownDialectException extends DataAccessResourceFailureException {

  private static final long serialVersionUID = 1L;

  UnknownDialectException(String why, Throwable cause) {
    super(
        "Whether the Spanner database speaks GoogleSQL or PostgreSQL is not known, for "
            + why
            + "; set the system property "
            + SpannerSql.PROPERTY
            + " to googlesql or postgresql",
        cause);
  }
}
