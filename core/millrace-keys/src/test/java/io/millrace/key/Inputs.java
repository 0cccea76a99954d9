package io.millrace.key;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Values to compare functions on, the same in every run: edge cases, then random ones. */
final class Inputs {

  /** How many random values follow the edge cases. */
  static final int RANDOM = 1_000;

  private static final long SEED = 20_240_229;

  private Inputs() {}

  static List<Long> longs() {
    return withRandom(
        List.of(0L, 1L, -1L, -2L, 100L, 9L, 10L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32),
        random -> random.nextLong() >> random.nextInt(64));
  }

  /** Strings of all planes, with what SQL might take for an escape, and the empty string. */
  static List<String> strings() {
    return withRandom(
        List.of("", "a", "foo", "ünïcödé", "\0", "a\\b", "\\x41", "'", "\"", "%s", "\uFFFF", "😀"),
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(lengthBound(random)); i > 0; i--) {
            text.appendCodePoint(codePoint(random));
          }
          return text.toString();
        });
  }

  static List<byte[]> byteArrays() {
    return withRandom(
        List.of(new byte[0], new byte[1], new byte[] {-1}, new byte[64], new byte[65]),
        random -> {
          byte[] bytes = new byte[random.nextInt(lengthBound(random))];
          random.nextBytes(bytes);
          return bytes;
        });
  }

  static List<Boolean> booleans() {
    return withRandom(List.of(true, false), Random::nextBoolean);
  }

  static List<LocalDate> dates() {
    LocalDate first = LocalDate.of(1, 1, 1);
    LocalDate last = LocalDate.of(9999, 12, 31);
    return withRandom(
        List.of(first, last, LocalDate.EPOCH, LocalDate.of(987, 6, 5), LocalDate.of(2024, 2, 29)),
        random -> LocalDate.ofEpochDay(random.nextLong(first.toEpochDay(), last.toEpochDay() + 1)));
  }

  /** Times of the whole range; of the years in which zones got their rules; and of our days. */
  static List<Instant> instants() {
    List<Instant> spans =
        List.of(
            Instant.parse("0001-01-01T00:00:00Z"),
            Instant.parse("9999-12-31T23:59:59Z"),
            Instant.parse("1840-01-01T00:00:00Z"),
            Instant.parse("1950-01-01T00:00:00Z"),
            Instant.parse("1950-01-01T00:00:00Z"),
            Instant.parse("2100-01-01T00:00:00Z"));
    return withRandom(
        List.of(
            Instant.parse("0001-01-01T00:00:00Z"),
            Instant.parse("0001-01-01T00:00:00.000000001Z"),
            Instant.parse("0999-12-31T23:59:59.999999999Z"),
            Instant.parse("1000-01-01T00:00:00Z"),
            Instant.parse("1883-11-18T19:59:59.9Z"),
            Instant.parse("1883-11-18T20:00:00Z"),
            Instant.parse("1969-12-31T23:59:59.999999Z"),
            Instant.EPOCH,
            Instant.parse("2020-07-01T00:00:00.1Z"),
            Instant.parse("2020-07-01T00:00:00.1234Z"),
            Instant.parse("2020-07-01T00:00:00.12345678Z"),
            Instant.parse("2024-03-10T09:59:59Z"),
            Instant.parse("2024-03-10T10:00:00Z"),
            Instant.parse("9999-12-31T23:59:59.999999999Z")),
        random -> {
          int span = 2 * random.nextInt(spans.size() / 2);
          return Instant.ofEpochSecond(
              random.nextLong(
                  spans.get(span).getEpochSecond(), spans.get(span + 1).getEpochSecond()),
              nanos(random));
        });
  }

  private static <T> List<T> withRandom(List<T> edges, Function<Random, T> next) {
    Random random = new Random(SEED);
    List<T> values = new ArrayList<>(edges);
    IntStream.range(0, RANDOM).forEach(i -> values.add(next.apply(random)));
    return values;
  }

  /** Mostly short: the hashes treat short inputs in many ways, and long ones in one. */
  private static int lengthBound(Random random) {
    return random.nextInt(4) == 0 ? 300 : 70;
  }

  private static int codePoint(Random random) {
    int[] bounds = {0x80, 0x800, Character.MIN_SURROGATE, 0x10000, 0x110000};
    int point = random.nextInt(bounds[random.nextInt(bounds.length)]);
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
        ? Character.MAX_SURROGATE + 1
        : point;
  }

  /** None, or of a length from 1 to 9 digits. */
  private static int nanos(Random random) {
    int unit = (int) Math.pow(10, random.nextInt(10));
    return random.nextInt(1_000_000_000) / unit * unit;
  }
}
