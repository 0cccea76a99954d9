package io.millrace.admin;

import io.millrace.SequenceState;
import io.millrace.key.BitReversal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A sequence as it is listed. A striped one has many rows in the table, which stand here as one.
 *
 * @param name the name of the sequence
 * @param rows its counters: one, those of the stripes, or none for a native sequence
 * @param stride the distance between two values of a stripe; 0 if it is not striped
 * @param start the smallest value of a striped sequence
 * @param definition of a native sequence, or null
 */
record Listed(
    String name,
    List<SequenceState> rows,
    long stride,
    long start,
    @Nullable NativeSequence definition) {

  private static final Pattern STRIPE = Pattern.compile("(.+)#(\\d{1,9}|stride|start)");

  /** Whether a row is needed to list the sequences with such names. */
  static boolean mayBeOf(String row, Predicate<String> names) {
    Matcher stripe = STRIPE.matcher(row);
    return names.test(row)
        || (stripe.matches()
            && (names.test(stripe.group(1)) || !Character.isDigit(stripe.group(2).charAt(0))));
  }

  static List<Listed> of(List<SequenceState> states, List<NativeSequence> natives) {
    Map<String, Long> values = new LinkedHashMap<>();
    states.forEach(state -> values.put(state.name(), state.nextValue()));
    Map<String, List<SequenceState>> stripes = new LinkedHashMap<>();
    List<Listed> all = new ArrayList<>();
    for (SequenceState state : states) {
      Matcher stripe = STRIPE.matcher(state.name());
      if (stripe.matches()
          && values.containsKey(stripe.group(1) + "#stride")
          && values.containsKey(stripe.group(1) + "#start")) {
        List<SequenceState> rows =
            stripes.computeIfAbsent(stripe.group(1), base -> new ArrayList<>());
        if (Character.isDigit(stripe.group(2).charAt(0))) {
          rows.add(state);
        }
      } else if (!state.isExhausted() || !values.containsKey(state.name() + "#stride")) {
        all.add(new Listed(state.name(), List.of(state), 0, 0, null));
      }
    }
    stripes.forEach(
        (base, rows) ->
            all.add(
                new Listed(
                    base,
                    List.copyOf(rows),
                    values.getOrDefault(base + "#stride", 1L),
                    values.getOrDefault(base + "#start", 1L),
                    null)));
    natives.forEach(found -> all.add(new Listed(found.name(), List.of(), 0, 0, found)));
    all.sort(Comparator.comparing(Listed::name));
    return all;
  }

  boolean isStriped() {
    return stride > 0;
  }

  String kind() {
    return definition != null ? "native" : isStriped() ? "striped" : "counter";
  }

  /**
   * All rows of the table that belong to it. The records of a striped sequence are the last, and
   * the very last is the plain row, which keeps plain processes out.
   */
  List<String> rowNames() {
    List<String> names = new ArrayList<>();
    rows.forEach(row -> names.add(row.name()));
    if (isStriped()) {
      names.add(name + "#stride");
      names.add(name + "#start");
      names.add(name);
    }
    return names;
  }

  private static long stripeOf(SequenceState row) {
    return Long.parseLong(row.name().substring(row.name().lastIndexOf('#') + 1));
  }

  /** The next value; the smallest one of a striped sequence. */
  long nextValue() {
    if (definition != null) {
      return BitReversal.PRESERVING_SIGN.applyAsLong(definition.counter());
    }
    return isStriped()
        ? rows.stream()
            .mapToLong(row -> stripeOf(row) + stride * row.nextValue())
            .min()
            .orElse(start)
        : rows.get(0).nextValue();
  }

  /** A number that grows by one with each value that is reserved. */
  BigInteger position() {
    return definition != null
        ? BigInteger.valueOf(definition.counter())
        : rows.stream()
            .map(row -> BigInteger.valueOf(row.nextValue()))
            .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** How many values are left up to a largest one, in the rows that exist. */
  BigInteger remaining(long maxValue) {
    BigInteger left = BigInteger.ZERO;
    for (SequenceState row : rows) {
      long last =
          isStriped()
              ? Math.floorDiv(maxValue, stride)
                  - (stripeOf(row) > Math.floorMod(maxValue, stride) ? 1 : 0)
              : maxValue;
      left =
          left.add(
              BigInteger.valueOf(last)
                  .subtract(BigInteger.valueOf(row.nextValue()))
                  .add(BigInteger.ONE)
                  .max(BigInteger.ZERO));
    }
    return definition == null
        ? left
        : BigInteger.valueOf(Long.MAX_VALUE).subtract(BigInteger.valueOf(definition.counter()));
  }

  /** Values a second since an earlier reading; values that were given back make it negative. */
  double rateSince(@Nullable Listed before, double seconds) {
    return before == null ? 0 : position().subtract(before.position()).doubleValue() / seconds;
  }

  OptionalLong stripes() {
    return isStriped() ? OptionalLong.of(rows.size()) : OptionalLong.empty();
  }
}
