package io.millrace.spring;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceTimeoutException;
import io.millrace.spring.SequencesNotReadyException.Part;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports a start that failed because the table or a row is missing, or the database does not
 * answer. Each cause is reported once, with all that it let fail.
 */
final class SequencesNotReadyAnalyzer extends AbstractFailureAnalyzer<SequencesNotReadyException> {

  private static final String EITHER_WAY =
      " Or set millrace.startup.on-failure=warn, to start anyway: sequences are tried again"
          + " when they are used.";

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SequencesNotReadyException failure) {
    List<Part> parts = failure.parts();
    List<String> texts = SequencesNotReadyException.texts(parts);
    String list =
        texts.size() == 1 ? " " + texts.get(0) : "%n%n- ".formatted() + join(texts, "%n- ");
    List<Throwable> causes = parts.stream().map(Part::cause).filter(Objects::nonNull).toList();
    List<String> roots =
        causes.stream()
            .filter(each -> !(each instanceof SequenceNotFoundException))
            .filter(each -> each != SequencesNotReadyException.deepest(each))
            .map(each -> SequencesNotReadyException.deepest(each).toString())
            .distinct()
            .toList();
    String advice =
        causes.stream()
            .map(new EmulatorSessions(System.getenv())::advice)
            .distinct()
            .collect(Collectors.joining());
    return new FailureAnalysis(
        "Sequences are not ready:"
            + list
            + advice
            + (roots.isEmpty() ? "" : "%n%nCaused by: ".formatted() + join(roots, "%nand by: ")),
        action(parts, causes),
        failure);
  }

  private static String join(List<String> texts, String separator) {
    return String.join(separator.formatted(), texts);
  }

  private static String action(List<Part> parts, List<Throwable> causes) {
    List<String> actions = new ArrayList<>();
    boolean isMissing = causes.stream().anyMatch(SequenceNotFoundException.class::isInstance);
    String properties = properties(parts);
    if (isMissing) {
      actions.add(
          properties.isEmpty()
              ? "Run the statements above."
              : "Set " + properties + "; or run the statements above.");
    }
    if (causes.stream().anyMatch(SequencesNotReadyAnalyzer::isUnreachable)) {
      actions.add("Start the database, or correct where it is (spring.r2dbc.url).");
    } else if (!isMissing) {
      actions.add("Correct what the database reports.");
    }
    return String.join(" ", actions) + EITHER_WAY;
  }

  /** The properties that create what is missing. */
  private static String properties(List<Part> parts) {
    List<String> rows =
        parts.stream().map(Part::createRow).filter(Objects::nonNull).distinct().toList();
    List<String> properties = new ArrayList<>();
    if (!rows.isEmpty()) {
      properties.add(
          String.join("=true, ", rows) + "=true for the row" + (rows.size() > 1 ? "s" : ""));
    }
    if (parts.stream().anyMatch(Part::isTableMissing)) {
      properties.add("millrace.create-table=true for the table");
    }
    return String.join(", and ", properties);
  }

  private static boolean isUnreachable(Throwable failure) {
    return SequencesNotReadyException.causes(failure)
        .anyMatch(
            each ->
                each instanceof IOException
                    || each instanceof TimeoutException
                    || each instanceof SequenceTimeoutException
                    || each instanceof R2dbcTransientResourceException
                    || each instanceof R2dbcNonTransientResourceException
                    || String.valueOf(each.getMessage())
                        .matches("(?s)(UNAVAILABLE|DEADLINE_EXCEEDED):.*"));
  }
}
