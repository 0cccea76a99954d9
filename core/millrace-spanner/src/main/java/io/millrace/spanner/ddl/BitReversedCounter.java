package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The counter of a sequence or an identity column of the kind {@code BIT_REVERSED_POSITIVE}. It
 * rises by one; the values are the counter's 63 low bits in reverse order, so they are positive,
 * unique and spread. Immutable.
 */
public final class BitReversedCounter {

  private record Range(long first, long last) {}

  private static final BitReversedCounter FROM_ONE = new BitReversedCounter(1, null);

  private final long start;
  private final @Nullable Range skipped;

  private BitReversedCounter(long start, @Nullable Range skipped) {
    this.start = start;
    this.skipped = skipped;
  }

  /** {@return a counter that starts with 1 and skips nothing} */
  public static BitReversedCounter fromOne() {
    return FROM_ONE;
  }

  /**
   * Returns a counter that starts at another number. The first value is the reversal of {@code
   * counter}: for 50, it is 2738188573441261568.
   *
   * @param counter the start of the counter, before the reversal: 1 or more
   * @throws IllegalArgumentException if {@code counter} is below 1
   */
  public static BitReversedCounter from(long counter) {
    if (counter < 1) {
      throw new IllegalArgumentException("the counter must start with at least 1, was " + counter);
    }
    return new BitReversedCounter(counter, null);
  }

  /**
   * Skips a range of values (after the reversal), such as those of older rows. Spanner supports one
   * range, so this replaces a range that was set before.
   *
   * @param first the first value to skip, 1 or more
   * @param last the last value to skip, at least {@code first}
   * @return a counter that skips the range
   * @throws IllegalArgumentException if {@code first} is below 1 or above {@code last}
   */
  public BitReversedCounter skipping(long first, long last) {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "the values to skip must be from at least 1 to at least the first, were "
              + (first + " to " + last));
    }
    return new BitReversedCounter(start, new Range(first, last));
  }

  /** {@return the start of the counter, before the reversal: 1 or more} */
  public long start() {
    return start;
  }

  /** {@return the first value that is skipped; empty if none is} */
  public OptionalLong firstSkipped() {
    return skipped == null ? OptionalLong.empty() : OptionalLong.of(skipped.first);
  }

  /** {@return the last value that is skipped; empty if none is} */
  public OptionalLong lastSkipped() {
    return skipped == null ? OptionalLong.empty() : OptionalLong.of(skipped.last);
  }

  /** The counter's clauses in DDL, for a sequence or an identity column. */
  String toDdl(Dialect dialect) {
    StringBuilder ddl = new StringBuilder("BIT_REVERSED_POSITIVE");
    if (skipped != null) {
      String between = dialect == Dialect.POSTGRESQL ? " " : ", ";
      ddl.append(" SKIP RANGE ").append(skipped.first).append(between).append(skipped.last);
    }
    if (start != 1) {
      ddl.append(" START COUNTER WITH ").append(start);
    }
    return ddl.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BitReversedCounter that
        && start == that.start
        && Objects.equals(skipped, that.skipped);
  }

  @Override
  public int hashCode() {
    return Objects.hash(start, skipped);
  }

  @Override
  public String toString() {
    return toDdl(Dialect.GOOGLE_STANDARD_SQL);
  }
}
