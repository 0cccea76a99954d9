package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Indexes on a time that rises. */
abstract class VisitorsBehaviour extends DesignBehaviour {

  private static final Instant SECOND = Instant.parse("2026-03-08T12:00:00Z");
  private static final int COUNT = 1_600;

  private static final List<Visitors.Visitor> VISITORS =
      Stream.of(
              IntStream.range(0, COUNT)
                  .mapToObj(
                      i -> visitor(i, SECOND.minus(Duration.ofHours(16)).plusSeconds(36L * i))),
              IntStream.range(COUNT, 2 * COUNT)
                  .mapToObj(i -> visitor(i, SECOND.plusNanos(625_000L * (i - COUNT)))),
              Stream.of(new Visitors.Visitor("never", null)))
          .flatMap(all -> all)
          .toList();

  private Visitors visitors;

  private static Visitors.Visitor visitor(int i, Instant lastAccess) {
    return new Visitors.Visitor("user-" + i * 7_919 % (2 * COUNT), lastAccess);
  }

  @BeforeAll
  void writeVisitors() {
    visitors = new Visitors(client());
    write(VISITORS, visitors.insert());
  }

  private Spread spread(String index) {
    return Spread.among(
        index(Visitors.NAME, index, "user_id", "last_access").stream()
            .filter(row -> !row.isNull(1))
            .map(row -> !Times.instant(row.getTimestamp(1)).isBefore(SECOND))
            .toList());
  }

  @Test
  void anIndexOnTheTimeSendsTheEntriesOfASecondToOnePart() {
    spread("visitors_rising").isInOnePart();
  }

  @Test
  void aShardedIndexSpreadsTheEntriesAndReadsTheNewestFirst() {
    spread("visitors_by_time").isInAllParts();
    Instant since = SECOND.minus(Duration.ofMinutes(10));
    assertThat(all(visitors.seenSince(since)))
        .hasSizeGreaterThan(COUNT)
        .isEqualTo(
            VISITORS.stream()
                .filter(v -> v.lastAccess() != null && !v.lastAccess().isBefore(since))
                .sorted(Comparator.comparing(Visitors.Visitor::lastAccess).reversed())
                .toList());
  }

  @Test
  void aNullFilteredIndexHasNoEntryForAUserWhoWasNeverSeen() {
    assertThat(index(Visitors.NAME, "visitors_by_time", "user_id")).hasSize(2 * COUNT);
    assertThat(index(Visitors.NAME, "visitors_rising", "user_id")).hasSize(2 * COUNT + 1);
  }

  @Test
  void anInterleavedIndexReadsAUsersNewest() {
    List<Access> visits =
        IntStream.range(0, 300)
            .mapToObj(i -> new Access("user-" + i % 30, SECOND.plusSeconds(i), "page " + i))
            .toList();
    write(visits, visitors.insertVisits());
    assertThat(all(visitors.newestPages("user-7", 3)))
        .containsExactly("page 277", "page 247", "page 217");
  }
}
