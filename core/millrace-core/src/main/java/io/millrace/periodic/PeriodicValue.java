package io.millrace.periodic;

import java.util.Objects;

/**
 * A number of a period.
 *
 * @param period the period, such as {@code 2026-11}
 * @param number the number, which is unique in the period
 * @param text both, such as {@code 2026-11-000042}
 */
public record PeriodicValue(String period, long number, String text) {

  /**
   * Checks that nothing is null.
   *
   * @param period the period
   * @param number the number
   * @param text both
   */
  public PeriodicValue {
    Objects.requireNonNull(period, "period");
    Objects.requireNonNull(text, "text");
  }
}
