package io.millrace.spring.boot;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceTimeoutException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report of a start at which the table or a row is missing, or the database does not answer.
 * Each cause is reported once, with all tasks that failed because of it.
 */
final class NotReady {

  /** How many failed tasks with the same cause are named. */
  private static final int LISTED = 5;

  private static final String EITHER_WAY =
      " Or set millrace.startup.on-failure=warn to start anyway: sequences are retried when they are"
          + " used.";

  private NotReady() {}

  /**
   * A task that failed.
   *
   * @param task what could not be done
   * @param cause why, if that is known
   * @param createRow the property that creates the missing row; null if there is none
   * @param isTableMissing whether the table is missing, too
   */
  record Part(
      String task, @Nullable Throwable cause, @Nullable String createRow, boolean isTableMissing) {

    Part(String task, @Nullable Throwable cause) {
      this(task, cause, null, false);
    }

    /** The same for parts that have the same cause. */
    private String key() {
      if (isTableMissing) {
        return "no table";
      }
      return cause == null ? task : deepest(cause).toString();
    }

    private String reason() {
      return cause == null ? "" : ": " + Objects.requireNonNullElse(cause.getMessage(), "" + cause);
    }
  }

  static StartFailedException report(List<Part> parts) {
    List<String> texts = texts(parts);
    List<Throwable> causes =
        parts.stream().map(Part::cause).filter(Objects::nonNull).distinct().toList();
    StartFailedException failure =
        new StartFailedException(
            String.join("; and ", texts), description(texts, causes), action(parts, causes));
    causes.stream().limit(1).forEach(failure::initCause);
    causes.stream().skip(1).forEach(failure::addSuppressed);
    return failure;
  }

  private static String description(List<String> texts, List<Throwable> causes) {
    String list =
        texts.size() == 1 ? " " + texts.get(0) : "%n%n- ".formatted() + join(texts, "%n- ");
    List<String> roots =
        causes.stream()
            .filter(each -> !(each instanceof SequenceNotFoundException))
            .filter(each -> each != deepest(each))
            .map(each -> deepest(each).toString())
            .distinct()
            .toList();
    String advice =
        causes.stream()
            .map(new EmulatorSessions(System.getenv())::advice)
            .distinct()
            .collect(Collectors.joining());
    return "Sequences are not ready:"
        + list
        + advice
        + (roots.isEmpty() ? "" : "%n%nCaused by: ".formatted() + join(roots, "%nand by: "));
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
    if (causes.stream().anyMatch(NotReady::isUnreachable)) {
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
    return causes(failure)
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

  /** A text for each cause: the tasks that failed because of it, and the cause. */
  private static List<String> texts(List<Part> parts) {
    Map<String, List<Part>> byCause =
        parts.stream()
            .collect(Collectors.groupingBy(Part::key, LinkedHashMap::new, Collectors.toList()));
    return byCause.values().stream().map(NotReady::text).toList();
  }

  private static String text(List<Part> sameCause) {
    List<String> tasks = new ArrayList<>();
    sameCause.stream().limit(LISTED).map(Part::task).forEach(tasks::add);
    if (sameCause.size() > LISTED) {
      tasks.add((sameCause.size() - LISTED) + " more for the same reason");
    }
    return String.join(", ", tasks) + sameCause.get(0).reason();
  }

  private static Throwable deepest(Throwable failure) {
    return causes(failure).reduce(failure, (before, next) -> next);
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).limit(50);
  }
}
