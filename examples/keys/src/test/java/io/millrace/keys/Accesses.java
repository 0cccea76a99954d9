package io.millrace.keys;

import static io.millrace.keys.DesignBehaviour.BEFORE;
import static io.millrace.keys.DesignBehaviour.NOW;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Accesses of 400 users: some of the last 16 hours, and those of one second. */
final class Accesses {

  /** The second begins. Two hours before, the clocks of Los Angeles were put forward. */
  static final Instant SECOND = Instant.parse("2026-03-08T12:00:00Z");

  static final int COUNT = 1_600;
  private static final int USERS = 400;

  private static final Random RANDOM = new Random(20260308);

  /** Each at another time, with 0, 3 or 6 digits of the second's fraction. */
  static final List<Access> EARLIER =
      IntStream.range(0, COUNT)
          .mapToObj(
              i ->
                  new Access(
                      user(),
                      SECOND
                          .minus(Duration.ofHours(16))
                          .plusSeconds(36L * i)
                          .plusNanos(List.of(0, 120_000_000, 7_000).get(i % 3)),
                      BEFORE + i))
          .toList();

  static final List<Access> OF_THE_SECOND =
      IntStream.range(0, COUNT)
          .mapToObj(i -> new Access(user(), SECOND.plusNanos(625_000L * i), NOW + i))
          .toList();

  private Accesses() {}

  private static String user() {
    return "user-" + RANDOM.nextInt(USERS);
  }

  static List<Access> all() {
    return Stream.concat(EARLIER.stream(), OF_THE_SECOND.stream()).toList();
  }

  /** In the order of time, as they are made. */
  static List<Access> between(Instant from, Instant to) {
    return all().stream()
        .filter(access -> !access.at().isBefore(from) && access.at().isBefore(to))
        .toList();
  }

  static List<Access> some() {
    return IntStream.range(0, 20).mapToObj(i -> all().get(i * 150 + i)).toList();
  }
}
