package io.millrace.advisor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The certainty and the importance of a finding, in ascending order. */
public enum Severity {
  /** A suggestion. The schema alone does not show whether it matters. */
  INFO,
  /** A hotspot if many rows are written. */
  WARNING,
  /** A hotspot if many rows are written, as proved by the schema. */
  ERROR;

  /**
   * Returns the lowest severity that fails a build or a command, as options and properties name it.
   *
   * @param name {@code error}, {@code warning}, {@code info} or {@code never}
   * @return the severity; empty for {@code never}
   * @throws IllegalArgumentException if it is another name
   */
  public static Optional<Severity> failingFrom(String name) {
    Optional<Severity> least =
        Arrays.stream(values())
            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
            .findFirst();
    if (least.isEmpty() && !name.equals("never")) {
      throw new IllegalArgumentException(
          "the severity to fail on is one of error, warning, info, never, was " + name);
    }
    return least;
  }
}
