package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/**
 * Where new rows go in a table that has rows already: how many to each sixteenth of it.
 *
 * @param counts the new rows of each part
 */
record Spread(long[] counts) {

  static final int PARTS = 16;

  /** The 0.999 quantile of chi-square for 15 degrees of freedom (NIST e-Handbook, 1.3.6.7.4). */
  private static final double LIMIT = 37.697;

  /**
   * Cuts the rows that were there before into parts of as many rows each, as a database splits a
   * table, and counts the new rows between them.
   *
   * @param isNew of each row, in the order of the key, whether it is new
   */
  static Spread among(List<Boolean> isNew) {
    long before = isNew.stream().filter(row -> !row).count();
    assertThat(before).as("rows there before").isGreaterThanOrEqualTo(100 * PARTS);
    long[] counts = new long[PARTS];
    long passed = 0;
    for (boolean row : isNew) {
      if (row) {
        counts[(int) Math.min(PARTS - 1, passed * PARTS / before)]++;
      } else {
        passed++;
      }
    }
    return new Spread(counts).checked();
  }

  /** Counts rows that are in numbered parts, from 0 to 15. */
  static Spread over(List<Long> parts) {
    long[] counts = new long[PARTS];
    parts.forEach(part -> counts[Math.toIntExact(part)]++);
    return new Spread(counts).checked();
  }

  private Spread checked() {
    assertThat(Arrays.stream(counts).sum()).as("new rows").isGreaterThanOrEqualTo(100 * PARTS);
    return this;
  }

  void isInOnePart() {
    assertThat(counts).as("rows of a part").containsOnlyOnce(Arrays.stream(counts).sum());
  }

  /** Every part has at least a fifth of what would be its even share. */
  void isInAllParts() {
    assertThat(Arrays.stream(counts).min().orElseThrow())
        .as("fewest rows of a part, of " + Arrays.toString(counts))
        .isGreaterThanOrEqualTo(Arrays.stream(counts).sum() / PARTS / 5);
  }

  /** Rows fall into the parts as if at random, with the same chance for each. */
  void isUniform() {
    double expected = (double) Arrays.stream(counts).sum() / PARTS;
    assertThat(
            Arrays.stream(counts)
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum())
        .as("chi-square of " + Arrays.toString(counts))
        .isLessThan(LIMIT);
  }
}
