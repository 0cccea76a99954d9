package io.millrace.spring;

import io.millrace.internal.ShownText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table or a sequence was not ready at start, so the start failed. */
final class SequencesNotReadyException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /** How many failed tasks with the same cause are named. */
  private static final int LISTED = 5;

  private final transient List<Part> parts;

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

  SequencesNotReadyException(List<Part> parts) {
    super(ShownText.line(String.join("; and ", texts(parts))));
    this.parts = List.copyOf(parts);
    List<Throwable> causes =
        parts.stream().map(Part::cause).filter(Objects::nonNull).distinct().toList();
    causes.stream().limit(1).forEach(this::initCause);
    causes.stream().skip(1).forEach(this::addSuppressed);
  }

  /** What failed, in the order of the start. */
  List<Part> parts() {
    return parts;
  }

  /** A text for each cause: the tasks that it let fail, and the cause. */
  static List<String> texts(List<Part> parts) {
    Map<String, List<Part>> byCause =
        parts.stream()
            .collect(Collectors.groupingBy(Part::key, LinkedHashMap::new, Collectors.toList()));
    return byCause.values().stream().map(SequencesNotReadyException::text).toList();
  }

  private static String text(List<Part> sameCause) {
    List<String> tasks = new ArrayList<>();
    sameCause.stream().limit(LISTED).map(Part::task).forEach(tasks::add);
    if (sameCause.size() > LISTED) {
      tasks.add((sameCause.size() - LISTED) + " more for the same reason");
    }
    return String.join(", ", tasks) + sameCause.get(0).reason();
  }

  static Throwable deepest(Throwable failure) {
    return causes(failure).reduce(failure, (before, next) -> next);
  }

  static Stream<Throwable> causes(Throwable failure) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).limit(50);
  }
}
