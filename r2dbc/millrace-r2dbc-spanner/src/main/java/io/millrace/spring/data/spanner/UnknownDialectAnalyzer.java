package io.millrace.spring.data.spanner;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;

/** Reports a Spanner database that did not answer when the application started. */
final class UnknownDialectAnalyzer extends AbstractFailureAnalyzer<UnknownDialectException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, UnknownDialectException failure) {
    return new FailureAnalysis(
        "%s.%n%nCaused by: %s"
            .formatted(failure.getMessage(), NestedExceptionUtils.getMostSpecificCause(failure)),
        "Make the database reachable (spring.r2dbc.url, credentials), or set the system property to"
            + " start without a query.",
        failure);
  }
}
