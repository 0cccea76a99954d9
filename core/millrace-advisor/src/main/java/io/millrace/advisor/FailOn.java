package io.millrace.advisor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The lowest severity of a finding that fails a build or a command. */
public enum FailOn {
  /** Fails on errors. */
  ERROR,
  /** Fails on errors and warnings. */
  WARNING,
  /** Fails on every finding. */
  INFO,
  /** Fails on none. */
  NEVER;

  /**
   * Returns the constant with a name as it is written in options and properties.
   *
   * @param name the name in lower case
   * @return the constant
   * @throws IllegalArgumentException if there is none
   */
  public static FailOn of(String name) {
    return Arrays.stream(values())
        .filter(each -> each.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the severity to fail on is one of "
                        + Arrays.stream(values())
                            .map(FailOn::toString)
                            .collect(Collectors.joining(", "))
                        + ", was "
                        + name));
  }

  /**
   * Returns the findings to fail on.
   *
   * @param advice the advice
   * @return those of this severity or above, the most severe first
   */
  public List<Finding> in(Advice advice) {
    return this == NEVER ? List.of() : advice.from(Severity.valueOf(name()));
  }

  /** Returns the name in lower case. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
