package io.millrace;

import io.millrace.internal.ShownText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When a generator warns that its sequence runs out of values. The alarm is on while any of the
 * thresholds is crossed. It goes on and off at the end of a reservation. Each change is one log
 * line (WARN when it goes on, INFO when it goes off), one call of the listener and one of the
 * recorder.
 *
 * <pre>{@code
 * SequenceGenerator.builder(store, "invoice_id")
 *     .maxValue(MaxValue.INT32)
 *     .capacityAlarm(CapacityAlarm.DEFAULT.time(Duration.ofDays(90)))
 * }</pre>
 *
 * <p>Values are left if they are above the generator's latest block and not above {@code maxValue}.
 * Buffered values do not count: a process has reserved them. Values to {@linkplain
 * SequenceGeneratorBuilder#skip skip} do count. How many are left is unknown until the first
 * reservation, and for stores that are not {@linkplain SequenceStore#isOrdered() ordered} or return
 * explicit values; then there is no alarm.
 *
 * <p>Immutable.
 */
public final class CapacityAlarm {

  /** No alarm. Its methods return alarms with only the threshold that they set. */
  public static final CapacityAlarm OFF = new CapacityAlarm(0, 0, Duration.ZERO, event -> {});

  /** An alarm when less than a tenth of the values is left. */
  public static final CapacityAlarm DEFAULT = OFF.share(0.1);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final double share;
  private final long values;
  private final Duration time;
  private final Consumer<? super Event> listener;

  private CapacityAlarm(
      double share, long values, Duration time, Consumer<? super Event> listener) {
    this.share = share;
    this.values = values;
    this.time = time;
    this.listener = listener;
  }

  /**
   * Returns an alarm with another threshold of share.
   *
   * @param threshold the alarm is on when less than this part is left of the values from 1, or from
   *     the start value of {@link SequenceGeneratorBuilder#createMissing createMissing}, up to
   *     {@code maxValue}; from 0 (never) to 1
   * @return a copy with this threshold
   * @throws IllegalArgumentException if outside that range
   */
  public CapacityAlarm share(double threshold) {
    if (!(threshold >= 0 && threshold <= 1)) {
      throw new IllegalArgumentException(
          "capacityAlarm share must be from 0 to 1, was " + threshold);
    }
    return new CapacityAlarm(threshold, values, time, listener);
  }

  /**
   * Returns an alarm with another threshold of values.
   *
   * @param threshold the alarm is on when fewer than this many values are left; 0 or more, 0 means
   *     never
   * @return a copy with this threshold
   * @throws IllegalArgumentException if below 0
   */
  public CapacityAlarm values(long threshold) {
    if (threshold < 0) {
      throw new IllegalArgumentException(
          "capacityAlarm values must be 0 or more, was " + threshold);
    }
    return new CapacityAlarm(share, threshold, time, listener);
  }

  /**
   * Returns an alarm with another threshold of time. The rate is that of the counter, so that the
   * consumption of all processes counts: how far it moved between this generator's reservations, in
   * the last 12 to 24 hours, or as long as the generator has run. It is known after 10 minutes. The
   * alarm goes off again when the values last for a quarter longer than the threshold.
   *
   * @param threshold the alarm is on when the values last for less than this time at the measured
   *     rate; from 0 (never) to 36,500 days
   * @return a copy with this threshold
   * @throws IllegalArgumentException if outside that range
   */
  public CapacityAlarm time(Duration threshold) {
    if (threshold.isNegative() || threshold.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "capacityAlarm time must be from PT0S to " + LONGEST + ", was " + threshold);
    }
    return new CapacityAlarm(share, values, threshold, listener);
  }

  /**
   * Returns an alarm with another listener. The generator calls it on the thread that applies the
   * store's answer, which may be a subscriber's. So it must be fast and must not block. What it
   * throws is logged and does not reach the subscribers. Defaults to none.
   *
   * @param listener receives each change, in order
   * @return a copy with this listener
   */
  public CapacityAlarm listener(Consumer<? super Event> listener) {
    return new CapacityAlarm(share, values, time, Objects.requireNonNull(listener, "listener"));
  }

  boolean hasThreshold() {
    return share > 0 || values > 0 || !time.isZero();
  }

  /** Whether the alarm is on. A time that is close to its threshold keeps the state. */
  boolean isOn(long remaining, OptionalDouble leftShare, OptionalDouble rate, boolean wasOn) {
    if (remaining < values || (leftShare.isPresent() && leftShare.getAsDouble() < share)) {
      return true;
    }
    if (time.isZero() || rate.isEmpty() || rate.getAsDouble() <= 0) {
      return false;
    }
    double seconds = remaining / rate.getAsDouble();
    double threshold = time.toMillis() / 1000.0;
    return seconds < (wasOn ? threshold * 1.25 : threshold);
  }

  void tell(Event event) {
    listener.accept(event);
  }

  @Override
  public String toString() {
    return "CapacityAlarm[share=" + share + ", values=" + values + ", time=" + time + "]";
  }

  /**
   * A change of an alarm.
   *
   * @param sequence the name of the sequence
   * @param low true if the alarm goes on, false if it goes off
   * @param remaining how many values are left
   * @param share the part of all values that is left, from 0 to 1; empty if it is unknown
   * @param rate values a second that all processes reserve; empty if it is unknown
   * @param maxValue the largest value that may be issued
   * @param at when the change was noticed
   */
  public record Event(
      String sequence,
      boolean low,
      long remaining,
      OptionalDouble share,
      OptionalDouble rate,
      MaxValue maxValue,
      Instant at) {

    private static final Duration FAR = Duration.ofDays(36_500);

    /**
     * Returns when the last value will be reserved at the measured rate.
     *
     * @return a time in the next 36,500 days; null if the end is later, or the rate is unknown or 0
     */
    public @Nullable Instant end() {
      if (rate.isEmpty() || rate.getAsDouble() <= 0) {
        return null;
      }
      double seconds = remaining / rate.getAsDouble();
      return seconds > FAR.toSeconds() ? null : at.plusSeconds((long) seconds);
    }

    /**
     * Returns the change as the text of the log line: what is left, the rate, the end, and what to
     * do.
     *
     * @return one line of English
     */
    public String message() {
      StringBuilder text = new StringBuilder("Sequence ").append(ShownText.quote(sequence));
      text.append(low ? " runs out of values: " : " has enough values again: ");
      text.append(remaining).append(" are left");
      share.ifPresent(part -> text.append(", ").append(percent(part)).append(" of all,"));
      text.append(" up to ").append(maxValue);
      rate.ifPresent(
          perSecond -> text.append(". All processes together reserve ").append(rate(perSecond)));
      Instant end = end();
      if (end != null) {
        text.append(", so the last value will be reserved at ").append(end);
      }
      text.append(". Noticed at ").append(at);
      if (low) {
        text.append(
            maxValue.isType()
                ? ". Widen the column and raise maxValue"
                : ". Raise maxValue, and widen the column if it holds no more");
        text.append(", or move to a new sequence");
      }
      return text.toString();
    }

    /** Three digits, in the smallest unit of time in which it is 1 or more. */
    private static String rate(double perSecond) {
      if (perSecond >= 1) {
        return rounded(perSecond) + " a second";
      }
      double perHour = perSecond * 3_600;
      return perHour >= 1 ? rounded(perHour) + " an hour" : rounded(perHour * 24) + " a day";
    }

    private static String rounded(double number) {
      return BigDecimal.valueOf(number)
          .round(new MathContext(3))
          .stripTrailingZeros()
          .toPlainString();
    }

    private static String percent(double part) {
      return (float) (Math.floor(part * 10_000) / 100) + " %";
    }
  }
}
