package io.millrace.ledger;

import static io.millrace.ledger.ListLedger.ADA;
import static io.millrace.ledger.ListLedger.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.ledger.SequenceAudit.CounterCheck;
import io.millrace.ledger.SequenceAudit.Gap;
import io.millrace.ledger.SequenceAudit.Overlap;
import io.millrace.ledger.SequenceAudit.Unrecorded;
import io.millrace.ledger.SequenceAudit.Use;
import io.millrace.ledger.SequenceLedger.Entry;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class SequenceAuditTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ListLedger ledger = new ListLedger();
  private final SequenceAudit audit =
      SequenceAudit.of(InMemorySequenceStore.withSequence("s", 1), ledger);

  private static <T> List<T> all(Flux<T> flux) {
    return Objects.requireNonNull(flux.collectList().block(LIMIT));
  }

  private List<Gap> gaps(Long... used) {
    return all(audit.gaps("s", Flux.just(used)));
  }

  @Test
  void theLedgerOfAnAuditIsTheOneThatItReads() {
    Entry entry = ledger.add(1, 10, 0, ADA);
    assertThat(all(audit.ledger().entries("s"))).containsExactly(entry);
  }

  @Test
  void theOwnerOfAValueReservedAndKeptIt() {
    Entry first = ledger.add(1, 100, 50, ADA);
    Entry second = ledger.add(51, 10, 0, BOB);
    assertThat(audit.owner("s", 50).block(LIMIT)).isEqualTo(first);
    assertThat(audit.owner("s", 51).block(LIMIT)).isEqualTo(second);
    assertThat(audit.owner("s", 61).blockOptional(LIMIT)).isEmpty();
    assertThat(audit.owner("s", 0).blockOptional(LIMIT)).isEmpty();
  }

  @Test
  void valuesThatWereGivenBackAndReservedAgainAreNoOverlap() {
    ledger.add(1, 100, 50, ADA);
    ledger.add(51, 10, 10, ADA);
    ledger.add(51, 10, 0, BOB);
    assertThat(all(audit.overlaps("s"))).isEmpty();
    assertThat(all(audit.unrecorded("s"))).isEmpty();
  }

  @Test
  void anEntryWhoseValuesWereAllGivenBackOverlapsNone() {
    ledger.add(1, 100, 0, ADA);
    ledger.add(10, 5, 5, BOB);
    assertThat(all(audit.overlaps("s"))).isEmpty();
    assertThat(gaps(1L)).singleElement().matches(gap -> gap.size() == 99);
  }

  @Test
  void valuesOfTwoEntriesAreInOneGapOnly() {
    Entry lower = ledger.add(1, 10, 0, ADA);
    Entry upper = ledger.add(6, 10, 0, BOB);
    assertThat(gaps(12L, 12L))
        .containsExactly(new Gap(1, 10, lower), new Gap(11, 11, upper), new Gap(13, 15, upper));
    assertThat(gaps()).containsExactly(new Gap(1, 10, lower), new Gap(11, 15, upper));
  }

  @Test
  void anOverlapHasTheValuesThatTwoEntriesShare() {
    Entry large = ledger.add(1, 100, 0, ADA);
    Entry inside = ledger.add(10, 5, 0, BOB);
    Entry beyond = ledger.add(90, 20, 0, BOB);
    Entry touching = ledger.add(109, 2, 0, ADA);
    assertThat(all(audit.overlaps("s")))
        .containsExactly(
            new Overlap(large, inside, 10, 14),
            new Overlap(large, beyond, 90, 100),
            new Overlap(beyond, touching, 109, 109));
  }

  @Test
  void valuesBetweenEntriesAreUnrecorded() {
    Entry lower = ledger.add(1, 10, 0, ADA);
    Entry upper = ledger.add(21, 10, 0, ADA);
    ledger.add(31, 10, 0, ADA);
    assertThat(all(audit.unrecorded("s"))).containsExactly(new Unrecorded(11, 20, lower, upper));
  }

  @Test
  void aGapNamesTheReservationWhoseValuesWereNotUsed() {
    Entry first = ledger.add(1, 10, 0, ADA);
    Entry second = ledger.add(11, 10, 5, BOB);
    assertThat(gaps(1L, 2L, 5L, 10L, 12L))
        .containsExactly(
            new Gap(3, 4, first),
            new Gap(6, 9, first),
            new Gap(11, 11, second),
            new Gap(13, 15, second));
    assertThat(gaps()).containsExactly(new Gap(1, 10, first), new Gap(11, 15, second));
  }

  @Test
  void valuesInUseThatAreNotInTheLedgerAreIgnored() {
    ledger.add(11, 2, 0, ADA);
    ledger.add(21, 2, 0, ADA);
    assertThat(gaps(1L, 11L, 12L, 15L, 21L, 21L, 22L, 99L)).isEmpty();
  }

  @Test
  void valuesInUseThatFallAreRefused() {
    ledger.add(1, 10, 0, ADA);
    StepVerifier.create(audit.gaps("s", Flux.just(5L, 4L)).then())
        .expectErrorMessage("the values in use must be in ascending order: 4 came after 5")
        .verify(LIMIT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void theGapsAreExactlyTheKeptValuesThatAreNotUsed(long seed) {
    Random random = new Random(seed);
    TreeSet<Long> expected = new TreeSet<>();
    TreeSet<Long> used = new TreeSet<>();
    long next = 1;
    for (int i = 0; i < 200; i++) {
      long first = next + (random.nextInt(10) == 0 ? random.nextInt(5) : 0);
      long size = 1 + random.nextInt(20);
      long released = random.nextInt(4) == 0 ? random.nextInt((int) size + 1) : 0;
      Entry entry = ledger.add(first, size, released, random.nextBoolean() ? ADA : BOB);
      LongStream.rangeClosed(first, entry.lastKept())
          .forEach(value -> (random.nextInt(5) == 0 ? expected : used).add(value));
      next = entry.lastKept() + 1;
    }
    List<Long> found =
        all(
            audit
                .gaps("s", Flux.fromIterable(used))
                .concatMapIterable(
                    gap -> LongStream.rangeClosed(gap.first(), gap.last()).boxed().toList()));
    assertThat(found).as("seed " + seed).containsExactlyElementsOf(expected);
  }

  @Test
  void theUseOfAProcessIsTheSumOfItsReservations() {
    ledger.add(1, 10, 0, ADA);
    ledger.add(11, 10, 0, BOB);
    ledger.add(21, 20, 5, ADA);
    List<Use> uses = all(audit.uses("s"));
    assertThat(uses).extracting(Use::holder).containsExactly(ADA, BOB);
    assertThat(uses).extracting(Use::reservations).containsExactly(2L, 1L);
    assertThat(uses).extracting(Use::values).containsExactly(25L, 10L);
    assertThat(uses).extracting(Use::released).containsExactly(5L, 0L);
    assertThat(uses.get(0).valuesPerSecond()).isCloseTo(12.5, within(1e-9));
    assertThat(uses.get(1).valuesPerSecond()).isZero();
  }

  @Test
  void theCounterAgreesIfItStandsBehindTheLastEntry() {
    assertThat(check().agrees()).isTrue();
    ledger.add(-9, 10, 0, ADA);
    assertThat(check()).matches(CounterCheck::agrees).matches(check -> !check.isBehind());
    ledger.add(1, 10, 0, ADA);
    assertThat(check()).matches(CounterCheck::isBehind).matches(check -> !check.agrees());
  }

  private CounterCheck check() {
    return Objects.requireNonNull(audit.counter("s").block(LIMIT));
  }

  @Test
  void aCounterAheadOfTheLedgerIsNotBehind() {
    ledger.add(-9, 5, 0, ADA);
    assertThat(check()).matches(check -> !check.agrees()).matches(check -> !check.isBehind());
  }

  @Test
  void pagesAreReadAsTheSubscriberRequests() {
    LongStream.range(0, 5_000).forEach(i -> ledger.add(1 + i * 2, 2, 0, ADA));
    StepVerifier.create(ledger.entries("s"), 1)
        .expectNextCount(1)
        .then(() -> assertThat(ledger.pages.get()).isLessThanOrEqualTo(2))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(4_999)
        .expectComplete()
        .verify(LIMIT);
    assertThat(ledger.pages.get()).isEqualTo(6);
  }
}
