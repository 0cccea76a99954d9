package io.millrace.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports configured sequences that this version of Spring Boot does not support. */
final class OldBootAnalyzer extends AbstractFailureAnalyzer<OldBootException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, OldBootException failure) {
    return new FailureAnalysis(
        failure.getMessage() + ".",
        "Use Spring Boot 4; or remove the millrace.* properties, and build R2dbcSequenceStore and"
            + " SequenceGenerators as beans of your own.",
        failure);
  }
}
