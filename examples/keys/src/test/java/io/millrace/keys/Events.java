package io.millrace.keys;

import static io.millrace.keys.DesignBehaviour.BEFORE;
import static io.millrace.keys.DesignBehaviour.NOW;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Events of 50 hosts: some of the last 16 hours, and those of one second. */
final class Events {

  static final Instant SECOND = Instant.parse("2026-03-08T12:00:00Z");

  private static final List<String> KINDS = List.of("deploy", "error", "login", "restart");
  private static final int COUNT = 1_600;
  private static final int HOSTS = 50;

  private static final Random RANDOM = new Random(20260309);

  static final List<Event> ALL =
      Stream.concat(
              IntStream.range(0, COUNT)
                  .mapToObj(
                      i ->
                          event(
                              SECOND.minus(Duration.ofHours(16)).plusMillis(36_001L * i),
                              BEFORE + i)),
              IntStream.range(0, COUNT)
                  .mapToObj(i -> event(SECOND.plusNanos(625_000L * i), NOW + i)))
          .toList();

  private Events() {}

  private static Event event(Instant at, String text) {
    return new Event(
        "host-" + RANDOM.nextInt(HOSTS), KINDS.get(RANDOM.nextInt(KINDS.size())), at, text);
  }

  /** In the order of time, as they are made. */
  static List<Event> between(Instant from, Instant to) {
    return ALL.stream()
        .filter(event -> !event.at().isBefore(from) && event.at().isBefore(to))
        .toList();
  }

  /** In the order of time. */
  static List<Event> of(String host, String kind) {
    return ALL.stream()
        .filter(event -> event.host().equals(host) && event.event().equals(kind))
        .sorted(Comparator.comparing(Event::at))
        .toList();
  }
}
