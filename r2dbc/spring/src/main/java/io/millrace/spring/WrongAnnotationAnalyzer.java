package io.millrace.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a {@link SequenceValue} that cannot work. */
final class WrongAnnotationAnalyzer extends AbstractFailureAnalyzer<SequenceValueException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SequenceValueException failure) {
    String action =
        failure.getCause() instanceof UnknownSequenceException unknown
            ? "Correct the name in the annotation, or add the sequence: millrace.%s.create=true, for example."
                .formatted(
                    PropertyRefusal.shown(PropertyRefusal.place("sequences", unknown.name())))
            : "Change the annotation, or the property that it stands at.";
    return new FailureAnalysis(failure.getMessage() + ".", action, failure);
  }
}
