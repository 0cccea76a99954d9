package io.millrace.striped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.millrace.DelegatingSequenceStore;
import io.millrace.InvalidOptionException;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.SkippedValues;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

class StripedSequenceStoreTest {

  private static final Duration GUARD = Duration.ofSeconds(30);

  private final InMemorySequenceStore rows = InMemorySequenceStore.create();
  private final WatchedStore watched = new WatchedStore(rows);

  /** Remembers which rows were asked, and lets a test answer in their place. */
  private static final class WatchedStore extends DelegatingSequenceStore {

    final List<String> reserved = new ArrayList<>();
    final List<String> released = new ArrayList<>();
    UnaryOperator<Mono<SequenceBlock>> change = UnaryOperator.identity();
    String changed = "";

    WatchedStore(SequenceStore store) {
      super(store);
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return Mono.defer(
          () -> {
            reserved.add(request.sequence());
            Mono<SequenceBlock> answer = super.reserve(request);
            return request.sequence().equals(changed) ? change.apply(answer) : answer;
          });
    }

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      released.add(sequence + tail);
      return super.release(sequence, tail);
    }
  }

  private StripedSequenceStoreBuilder striped(int stride, int stripes) {
    return StripedSequenceStore.builder(watched)
        .stride(stride)
        .stripes(stripes)
        .choice(StripeChoice.ROUND_ROBIN)
        .random(bound -> 0);
  }

  /** Time stands still: what a reservation of a test takes is not measured. */
  @BeforeEach
  void stopTime() {
    VirtualTimeScheduler.getOrSet();
  }

  @AfterEach
  void letTimeGoOn() {
    VirtualTimeScheduler.reset();
  }

  private static <T> T answer(Mono<T> mono) {
    return Objects.requireNonNull(mono.block(GUARD));
  }

  private static void done(Mono<Void> mono) {
    mono.block(GUARD);
  }

  private static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  private long counter(String row) {
    return answer(rows.state(row)).nextValue();
  }

  @Test
  void eachRowHasTheValuesThatAreCongruentToItsNumber() {
    StripedSequenceStore store = striped(10, 3).build();
    done(store.create("s", 1));
    assertThat(answer(store.reserve("s", 2))).isEqualTo(SequenceBlock.strided(10, 2, 10));
    assertThat(answer(store.reserve("s", 2))).isEqualTo(SequenceBlock.strided(1, 2, 10));
    assertThat(answer(store.reserve("s", 2))).isEqualTo(SequenceBlock.strided(2, 2, 10));
    assertThat(answer(store.reserve("s", 1))).isEqualTo(SequenceBlock.of(30, 1));
    assertThat(watched.reserved).containsExactly("s#0", "s#1", "s#2", "s#0");
  }

  @ParameterizedTest
  @CsvSource({
    "7, 1",
    "7, 6",
    "7, 7",
    "7, 8",
    "7, 0",
    "7, -1",
    "7, -7",
    "7, -8",
    "1, 5",
    "1, -5",
    "3, 1000000007",
    "7, -9223372036854775808",
    "1024, -9223372036854775808",
    "1000, -9223372036854775807",
    "7, 9223372036854770000"
  })
  void allRowsTogetherHaveEveryValueFromTheStartValueOn(int stride, long start) {
    StripedSequenceStore store = striped(stride, stride).build();
    done(store.create("s", start));
    Set<Long> values = new HashSet<>();
    for (int i = 0; i < stride; i++) {
      values.addAll(valuesOf(answer(store.reserve("s", 3))));
    }
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(start, start + 3L * stride).boxed().toList());
  }

  @Test
  void theStrideAndTheStartAreRecordedWithTheRows() {
    done(striped(10, 2).build().create("s", 25));
    assertThat(counter("s#stride")).isEqualTo(10);
    assertThat(counter("s#start")).isEqualTo(25);
    assertThat(counter("s#0")).isEqualTo(3);
    assertThat(counter("s#1")).isEqualTo(3);
    StepVerifier.create(rows.state("s#2")).verifyError(SequenceNotFoundException.class);
  }

  @Test
  void anotherStrideIsRefusedByEveryRequest() {
    done(striped(10, 2).build().create("s", 1));
    StripedSequenceStore wrong = striped(20, 2).build();
    for (Mono<?> request :
        List.of(
            wrong.reserve("s", 1),
            wrong.state("s"),
            wrong.create("s", 1),
            wrong.release("s", SequenceBlock.strided(10, 2, 20)))) {
      assertThatExceptionOfType(SequenceStoreException.class)
          .isThrownBy(() -> request.block(GUARD))
          .withMessage(
              "the store of sequence 's' is configured with stride 20, but the sequence was created"
                  + " with stride 10; the stride of a sequence never changes: configure stride(10)")
          .satisfies(
              error -> {
                assertThat(error.sequence()).isEqualTo("s");
                assertThat(error.isPermanent()).isTrue();
              });
    }
    assertThat(watched.reserved).isEmpty();
    assertThat(watched.released).isEmpty();
    assertThat(counter("s#stride")).isEqualTo(10);
  }

  @Test
  void ofTwoCreationsWithDifferentStartsOneWinsForAllRows() {
    done(striped(10, 2).build().create("s", 100));
    done(striped(10, 4).build().create("s", 1_000));
    assertThat(IntStream.range(0, 4).mapToObj(row -> counter("s#" + row)))
        .containsExactly(10L, 10L, 10L, 10L);
  }

  @Test
  void aCreationThatWasCutShortIsFinishedByTheNext() {
    done(rows.create("s#stride", 10));
    StripedSequenceStore store = striped(10, 2).build();
    assertThatExceptionOfType(SequenceNotFoundException.class)
        .isThrownBy(() -> store.reserve("s", 1).block(GUARD))
        .withMessageContaining("'s#start'")
        .withMessageContaining("create(\"s\", 1)");
    done(store.create("s", 1));
    assertThat(answer(store.reserve("s", 1)).first()).isEqualTo(10);
  }

  @Test
  void moreRowsTakeValuesThatNoOtherRowHasWhileOldProcessesRun() {
    StripedSequenceStore old = striped(10, 2).build();
    done(old.create("s", 25));
    StripedSequenceStore grown = striped(10, 5).build();
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      values.addAll(valuesOf(answer(old.reserve("s", 3))));
      values.addAll(valuesOf(answer(grown.reserve("s", 2))));
    }
    assertThat(values).hasSize(100).doesNotHaveDuplicates().allMatch(value -> value >= 25);
    assertThat(values.stream().map(value -> value % 10).distinct())
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
    assertThat(counter("s#4")).as("created on first use, at the recorded start").isEqualTo(3 + 8);
  }

  @Test
  void rowsThatFallOutOfUseRestAndGoOnWhereTheyWere() {
    StripedSequenceStore wide = striped(10, 4).build();
    done(wide.create("s", 0));
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      values.addAll(valuesOf(answer(wide.reserve("s", 2))));
    }
    StripedSequenceStore narrow = striped(10, 1).build();
    for (int i = 0; i < 8; i++) {
      values.addAll(valuesOf(answer(narrow.reserve("s", 2))));
    }
    StripedSequenceStore wideAgain = striped(10, 4).build();
    for (int i = 0; i < 8; i++) {
      values.addAll(valuesOf(answer(wideAgain.reserve("s", 2))));
    }
    assertThat(values).hasSize(48).doesNotHaveDuplicates();
    assertThat(counter("s#3")).isEqualTo(8);
  }

  @Test
  void aRowThatVanishesIsNotBegunAgain() {
    done(striped(10, 1).build().create("s", 1));
    StripedSequenceStore store = striped(10, 1).build(); // another process
    answer(store.reserve("s", 5));
    assertThat(answer(rows.drop("s#0"))).isTrue();
    ReservationRequest request = new ReservationRequest("s", 1, 1L, SkippedValues.NONE);
    assertThatExceptionOfType(SequenceNotFoundException.class)
        .isThrownBy(() -> store.reserve(request).block(GUARD))
        .withMessageContaining("'s#0', which was there before")
        .satisfies(error -> assertThat(error.sequence()).isEqualTo("s"));
    assertThat(watched.reserved).as("it is not asked again").containsExactly("s#0", "s#0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "s#", "#", "#1", "a#b"})
  void aNameWithTheMarkOfRowsOrWithoutACharacterIsRefused(String name) {
    StripedSequenceStore store = striped(10, 2).build();
    for (Mono<?> request :
        List.of(
            store.reserve(name, 1),
            store.create(name, 1),
            store.state(name),
            store.release(name, SequenceBlock.of(1, 1)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> request.block(GUARD))
          .withMessageContaining("'" + name + "'");
    }
  }

  @Test
  void theStateIsTheSmallestOfTheRows() {
    StripedSequenceStore store = striped(10, 3).build();
    done(store.create("s", 1));
    assertThat(answer(store.state("s"))).isEqualTo(new SequenceState("s", 1));
    for (int i = 0; i < 4; i++) {
      answer(store.reserve("s", 5));
    }
    assertThat(answer(store.state("s"))).isEqualTo(new SequenceState("s", 51));
    StepVerifier.create(striped(10, 4).build().rows("s"))
        .expectNext(new SequenceState("s#0", 110))
        .expectNext(new SequenceState("s#1", 51))
        .expectNext(new SequenceState("s#2", 52))
        .expectNext(new SequenceState("s#3", 3))
        .verifyComplete();
  }

  @Test
  void aReleaseGivesTheTailToItsRow() {
    StripedSequenceStore store = striped(10, 2).build();
    done(store.create("s", 1));
    SequenceBlock first = answer(store.reserve("s", 5));
    SequenceBlock second = answer(store.reserve("s", 5));
    assertThat(answer(store.release("s", first.slice(2, 5)))).isTrue();
    assertThat(counter("s#0")).isEqualTo(3);
    assertThat(answer(store.release("s", second.slice(4, 5)))).as("one value").isTrue();
    assertThat(counter("s#1")).isEqualTo(4);
    assertThat(answer(store.release("s", first.slice(2, 5)))).as("once only").isFalse();
    assertThat(valuesOf(answer(store.reserve("s", 3)))).isEqualTo(valuesOf(first.slice(2, 5)));
    assertThat(watched.released).containsExactly("s#0[3..5]", "s#1[4..4]", "s#0[3..5]");
  }

  @Test
  void whatIsNoPartOfOneRowIsNotGivenBack() {
    StripedSequenceStore store = striped(10, 2).build();
    done(store.create("s", 1));
    answer(store.reserve("s", 5));
    for (SequenceBlock block :
        List.of(
            SequenceBlock.of(50, 2),
            SequenceBlock.strided(40, 2, 20),
            SequenceBlock.ofValues(40, 50),
            SequenceBlock.ofValues(50))) {
      assertThat(answer(store.release("s", block))).as("%s", block).isFalse();
    }
    assertThat(watched.released).isEmpty();
  }

  @Test
  void aReleaseWhoseAnswerIsLostIsNotSentAgain() {
    StripedSequenceStore store = striped(10, 1).build();
    done(store.create("s", 1));
    SequenceBlock block = answer(store.reserve("s", 5));
    rows.loseNextReleaseAnswers(1, new IOException("connection reset"));
    StepVerifier.create(store.release("s", block)).verifyErrorMessage("connection reset");
    assertThat(watched.released).hasSize(1);
    assertThat(rows.releases()).isEqualTo(1);
  }

  @Test
  void aStoreThatCannotReleaseIsNotAsked() {
    SequenceStore keeps =
        new DelegatingSequenceStore(watched) {
          @Override
          public boolean isReleasable() {
            return false;
          }
        };
    StripedSequenceStore store = StripedSequenceStore.builder(keeps).stripes(2).build();
    done(store.create("s", 1));
    SequenceBlock block = answer(store.reserve("s", 5));
    assertThat(store.isReleasable()).isFalse();
    assertThat(answer(store.release("s", block))).isFalse();
    assertThat(watched.released).isEmpty();
    assertThat(store.isOrdered()).isFalse();
    assertThat(StripedSequenceStore.builder(watched).build().isReleasable()).isTrue();
  }

  @Test
  void atTheLargestValueTheOtherRowsAreAskedAndThenTheSequenceIsExhausted() {
    long start = SequenceState.LARGEST_VALUE - 11; // …795 to …806: residues 5 6 7 8 9 0 1 2 3 4 5 6
    StripedSequenceStore store = striped(10, 10).build();
    done(store.create("s", start));
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      values.addAll(valuesOf(answer(store.reserve("s", 1))));
    }
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(start, start + 12).boxed().toList());
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> store.reserve("s", 1).block(GUARD))
        .satisfies(
            error -> {
              assertThat(error.sequence()).isEqualTo("s");
              assertThat(error.limit()).isEqualTo(SequenceState.LARGEST_VALUE);
              assertThat(error.nextValue()).isEqualTo(Long.MAX_VALUE);
            });
    assertThat(answer(store.state("s")).nextValue()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aStoreBeneathThatIsExhaustedIsReportedByTheNameOfTheSequence() {
    StripedSequenceStore store = striped(1, 1).build(); // no number is left out
    done(store.create("s", SequenceState.LARGEST_VALUE));
    assertThat(answer(store.reserve("s", 1)).first()).isEqualTo(SequenceState.LARGEST_VALUE);
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> store.reserve("s", 1).block(GUARD))
        .withMessageContaining("'s'")
        .withMessageEndingWith("raise the limit, or move to another sequence")
        .satisfies(
            error -> {
              assertThat(error.sequence()).isEqualTo("s");
              assertThat(error).hasCauseInstanceOf(SequenceExhaustedException.class);
            });
  }

  @Test
  void aGeneratorGivesAllValuesUpToItsLargestWhereverTheRowsStand() {
    StripedSequenceStore store = striped(10, 4).maxValue(103).build();
    done(store.create("s", 1));
    for (int i = 0; i < 4; i++) {
      answer(store.reserve("s", i == 0 ? 7 : 1)); // rows at different places
    }
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(2).maxBlockSize(2).maxValue(103).build();
    List<Long> values = new ArrayList<>();
    StepVerifier.create(generator.values().doOnNext(values::add))
        .thenConsumeWhile(value -> true)
        .expectError(SequenceExhaustedException.class)
        .verify(GUARD);
    // Row 0 has 80, 90, 100; the others have 11, 12 and 13, and ten more each.
    assertThat(values)
        .hasSize(3 + 3 * 10)
        .doesNotHaveDuplicates()
        .allMatch(value -> value > 10 && value <= 103);
    assertThat(watched.reserved).contains("s#0", "s#1", "s#2", "s#3");
  }

  @Test
  void aGeneratorCutsABlockOfARowAtItsLargestValue() {
    StripedSequenceStore store = striped(10, 1).build();
    done(store.create("s", 1));
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(10).maxValue(35).build();
    StepVerifier.create(generator.values())
        .expectNext(10L, 20L, 30L)
        .expectError(SequenceExhaustedException.class)
        .verify(GUARD);
  }

  @Test
  void aGeneratorThatIsDisposedGivesTheEndOfItsNewestBlockBack() {
    StripedSequenceStore store = striped(10, 2).build();
    done(store.create("s", 1));
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(10).lowWatermark(5).build();
    List<Long> values = answer(generator.values().take(17).collectList());
    answer(generator.warmup().thenReturn(true));
    done(generator.disposeLater());
    assertThat(values).hasSize(17).doesNotHaveDuplicates();
    List<Long> later = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      later.addAll(valuesOf(answer(store.reserve("s", 3))));
    }
    assertThat(later).doesNotHaveDuplicates().doesNotContainAnyElementsOf(values);
    assertThat(watched.released).as("only what is of one row").hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(StripeChoice.class)
  void everyRowIsUsed(StripeChoice choice) {
    StripedSequenceStore store =
        StripedSequenceStore.builder(watched).stripes(8).choice(choice).build();
    done(store.create("s", 1));
    for (int i = 0; i < 2_000; i++) {
      answer(store.reserve("s", 1));
    }
    assertThat(Set.copyOf(watched.reserved)).hasSize(8);
  }

  @Test
  void aRowWhereReservationsFailIsLeftAlone() {
    StripedSequenceStore store = StripedSequenceStore.builder(watched).stripes(2).build();
    done(store.create("s", 1));
    watched.changed = "s#1";
    watched.change = answer -> Mono.error(new IOException("contended"));
    int failures = 0;
    for (int i = 0; i < 200; i++) {
      failures += answer(store.reserve("s", 1).map(block -> 0).onErrorReturn(1));
    }
    assertThat(watched.reserved).hasSize(200);
    assertThat(failures).as("of 200, on row 1").isBetween(0, 3);
  }

  @Test
  void aSlowRowIsLeftAloneAndTriedAgainLater() {
    StepVerifier.withVirtualTime(
            () -> {
              StripedSequenceStore store = StripedSequenceStore.builder(watched).stripes(2).build();
              rows.latency(Duration.ofMillis(1));
              watched.changed = "s#1";
              watched.change = answer -> answer.delaySubscription(Duration.ofMillis(100));
              Mono<SequenceBlock> one = store.reserve("s", 1);
              return store
                  .create("s", 1)
                  .thenMany(one.repeat(299))
                  .doOnNext(block -> {})
                  .then(Mono.fromCallable(() -> asked("s#1")))
                  .doOnNext(slow -> assertThat(slow).isLessThan(5))
                  .doOnNext(slow -> assertThat(asked("s#0")).isGreaterThan(290))
                  .then(Mono.delay(Duration.ofMinutes(1)))
                  .flatMap(
                      idle -> {
                        long before = asked("s#1");
                        return one.repeat(19).then(Mono.fromCallable(() -> asked("s#1") - before));
                      });
            })
        .thenAwait(Duration.ofMinutes(2))
        .consumeNextWith(slow -> assertThat(slow).as("tried again").isBetween(1L, 10L))
        .expectComplete()
        .verify(GUARD);
    assertThat(watched.reserved).hasSize(320);
  }

  private long asked(String row) {
    return watched.reserved.stream().filter(row::equals).count();
  }

  @Test
  void aRowWithAReservationInFlightIsTheWorseOfTwo() {
    StripedSequenceStore store =
        StripedSequenceStore.builder(watched)
            .stripes(2)
            .random(StripedSequenceStoreTest::likelier)
            .build();
    done(store.create("s", 1));
    TestPublisher<SequenceBlock> held = TestPublisher.create();
    watched.changed = "s#0";
    watched.change = answer -> held.mono();
    var first = store.reserve("s", 1).subscribe();
    for (int i = 0; i < 5; i++) {
      assertThat(answer(store.reserve("s", 1)).first() % 1_024).isEqualTo(1);
    }
    first.dispose();
    held.assertCancelled();
    assertThat(answer(store.reserve("s", 1)).first() % 1_024)
        .as("cancelled is failed")
        .isEqualTo(1);
  }

  @Test
  void nothingIsAskedBeforeSubscriptionAndTheRecordsAreReadOnce() {
    Set<String> read = ConcurrentHashMap.newKeySet();
    List<String> reads = new ArrayList<>();
    SequenceStore store =
        StripedSequenceStore.builder(
                new DelegatingSequenceStore(rows) {
                  @Override
                  public Mono<SequenceState> state(String sequence) {
                    read.add(sequence);
                    reads.add(sequence);
                    return super.state(sequence);
                  }
                })
            .stripes(2)
            .build();
    Mono<SequenceBlock> reservation = store.reserve("s", 1);
    assertThat(reads).isEmpty();
    StepVerifier.create(reservation).verifyError(SequenceNotFoundException.class);
    done(store.create("s", 1));
    reads.clear();
    answer(reservation);
    answer(reservation);
    assertThat(reads).isEmpty();
    assertThat(read).containsExactlyInAnyOrder("s", "s#stride", "s#start");
  }

  @Test
  void aGeneratorCreatesASequenceThatIsMissing() {
    StripedSequenceStore store = striped(10, 2).build();
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(2).createMissing(7).build();
    assertThat(answer(generator.next(2))).containsExactly(10L, 20L);
    assertThat(counter("s#start")).isEqualTo(7);
  }

  @Test
  void theBuilderQuotesWhatItRefuses() {
    StripedSequenceStoreBuilder builder = StripedSequenceStore.builder(rows);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.stripes(0))
        .withMessage("stripes must be from 1 to 1048576, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.stride(0))
        .withMessage("stride must be from 1 to 1048576, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.stride((1 << 20) + 1))
        .withMessage("stride must be from 1 to 1048576, was 1048577");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxValue(Long.MAX_VALUE))
        .withMessageContaining("was " + Long.MAX_VALUE);
    assertThatExceptionOfType(InvalidOptionException.class)
        .isThrownBy(() -> builder.stride(8).stripes(9).build())
        .withMessage("stripes must be at most the stride 8, was 9")
        .returns("stride", InvalidOptionException::other);
    assertThat(builder.stripes(8).build()).asString().startsWith("StripedSequenceStore[8 of 8, ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceGenerator.builder(builder.build(), "s").blockSize(1).build())
        .withMessageContaining("isOrdered false");
  }

  @Test
  void explicitIndicesOfTheStoreBeneathBecomeExplicitValues() {
    watched.changed = "s#0";
    watched.change = answer -> Mono.just(SequenceBlock.ofValues(7, 3));
    StripedSequenceStore store = striped(10, 1).build();
    done(store.create("s", 1));
    assertThat(answer(store.reserve("s", 2))).isEqualTo(SequenceBlock.ofValues(70, 30));
  }

  @Test
  void nothingIsCreatedIfThePlainCounterCannotBeRead() {
    SequenceStore unreadable =
        new DelegatingSequenceStore(rows) {
          @Override
          public Mono<SequenceState> state(String sequence) {
            return sequence.equals("s")
                ? Mono.error(new IOException("refused"))
                : super.state(sequence);
          }
        };
    StripedSequenceStore store = StripedSequenceStore.builder(unreadable).build();
    StepVerifier.create(store.create("s", 1)).verifyErrorMessage("refused");
    StepVerifier.create(rows.state("s#start")).verifyError(SequenceNotFoundException.class);
  }

  @ParameterizedTest
  @EnumSource(StripeChoice.class)
  void aLargestValueBelowTheFirstBlockOfARowIsReachedInEveryRow(StripeChoice choice) {
    StripedSequenceStore store =
        StripedSequenceStore.builder(watched).maxValue(99_999).choice(choice).build();
    done(store.create("s", 1));
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(1_000).maxValue(99_999).build();
    List<Long> values = new ArrayList<>();
    StepVerifier.create(generator.values().doOnNext(values::add))
        .thenConsumeWhile(value -> true)
        .expectError(SequenceExhaustedException.class)
        .verify(GUARD);
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, 99_999).filter(value -> value % 1_024 < 16).boxed().toList());
  }

  @Test
  void aBlockHasTheSizeAskedForAlsoWhereTheLargestValueIsWithinIt() {
    StripedSequenceStore store = striped(10, 2).maxValue(49).build();
    done(store.create("s", 1));
    assertThat(answer(store.reserve("s", 6))).isEqualTo(SequenceBlock.strided(10, 6, 10));
    assertThat(answer(store.reserve("s", 6))).isEqualTo(SequenceBlock.strided(1, 6, 10));
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> store.reserve("s", 1).block(GUARD))
        .satisfies(error -> assertThat(error.limit()).isEqualTo(49));
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> store.reserve("s", 1).block(GUARD))
        .withMessageContaining("2 of 10 are in use");
    assertThat(counter("s#0")).as("moved back").isEqualTo(7);
    assertThat(counter("s#1")).as("moved back").isEqualTo(6);
  }

  @Test
  void aBlockThatEndsAboveTheLargestValueOfAllIsRefusedAndMovesNoRow() {
    StripedSequenceStore store = striped(10, 2).build();
    done(store.create("s", Long.MAX_VALUE - 70));
    long before = counter("s#0");
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> store.reserve("s", 8).block(GUARD))
        .satisfies(error -> assertThat(error.limit()).isEqualTo(SequenceState.LARGEST_VALUE));
    assertThat(watched.reserved).containsExactly("s#0", "s#1");
    assertThat(counter("s#0")).isEqualTo(before);
    assertThat(valuesOf(answer(store.reserve("s", 7))))
        .allMatch(value -> value >= Long.MAX_VALUE - 70 && value <= SequenceState.LARGEST_VALUE);
  }

  @Test
  void aStateThatWasReadBeforeTheRowWasThereIsItsStart() {
    done(rows.create("s#stride", 10));
    done(rows.create("s#start", 1));
    TestPublisher<SequenceState> held = TestPublisher.create();
    StripedSequenceStore store =
        StripedSequenceStore.builder(
                new DelegatingSequenceStore(rows) {
                  @Override
                  public Mono<SequenceState> state(String sequence) {
                    return sequence.equals("s#0") ? held.mono() : super.state(sequence);
                  }
                })
            .stride(10)
            .stripes(1)
            .build();
    List<SequenceState> states = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    store.state("s").subscribe(states::add, errors::add);
    answer(store.reserve("s", 2));
    held.error(new SequenceNotFoundException("s#0", "the table", "create", null));
    assertThat(errors).isEmpty();
    assertThat(states).containsExactly(new SequenceState("s", 10));
  }

  @Test
  void aThousandExhaustedRowsAreAskedOnASmallStackAndOnceEach() throws Exception {
    StripedSequenceStore store = striped(1_024, 1_024).maxValue(1_023).build();
    done(store.create("s", 0));
    for (int row = 0; row < 1_024; row++) {
      assertThat(answer(store.reserve("s", 1)).first()).isEqualTo(row);
    }
    watched.reserved.clear();
    List<Object> answers = new ArrayList<>();
    Runnable task = () -> store.reserve("s", 1).subscribe(answers::add, answers::add);
    Thread thread = new Thread(null, task, "small stack", 256 * 1_024);
    thread.setUncaughtExceptionHandler((failed, thrown) -> answers.add(thrown));
    thread.start();
    thread.join(GUARD.toMillis());
    assertThat(answers).hasSize(1).hasOnlyElementsOfType(SequenceExhaustedException.class);
    assertThat(watched.reserved).hasSize(1_024).doesNotHaveDuplicates();
    StepVerifier.create(store.reserve("s", 1)).verifyError(SequenceExhaustedException.class);
    assertThat(watched.reserved).as("all are known, and one is asked again").hasSize(1_025);
  }

  @Test
  void aRowThatIsKnownToBeFinishedIsNotAskedWhileOthersAreNot() {
    StripedSequenceStore store = striped(10, 3).maxValue(25).build();
    done(store.create("s", 0));
    answer(store.reserve("s", 3)); // row 0 has 0, 10, 20
    for (int i = 0; i < 5; i++) {
      answer(store.reserve("s", 1));
    }
    assertThat(watched.reserved).containsExactly("s#0", "s#1", "s#2", "s#0", "s#1", "s#1", "s#2");
  }

  @Test
  void valuesThatAreGivenBackToAFinishedRowAreGivenAgain() {
    StripedSequenceStore store = striped(10, 2).maxValue(9).build();
    done(store.create("s", 0));
    SequenceBlock zero = answer(store.reserve("s", 1));
    SequenceBlock one = answer(store.reserve("s", 1));
    StepVerifier.create(store.reserve("s", 1)).verifyError(SequenceExhaustedException.class);
    assertThat(answer(store.release("s", zero))).isTrue(); // while it is the turn of row 1
    assertThat(answer(store.reserve("s", 1))).isEqualTo(zero);
    assertThat(answer(store.release("s", one))).isTrue();
    assertThat(answer(store.reserve("s", 1))).isEqualTo(one);
    StepVerifier.create(store.reserve("s", 1)).verifyError(SequenceExhaustedException.class);
  }

  @Test
  void aFinishedRowThatTookValuesBackIsAskedAgainInItsTurn() {
    StripedSequenceStore store = striped(10, 3).maxValue(45).build();
    done(store.create("s", 0));
    SequenceBlock all = answer(store.reserve("s", 5)); // row 0 has 0, 10, 20, 30, 40
    answer(store.reserve("s", 1));
    answer(store.reserve("s", 1));
    answer(store.reserve("s", 1)); // finds row 0 finished
    assertThat(answer(store.release("s", all.slice(4, 5)))).isTrue();

    List<Long> next = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      next.add(answer(store.reserve("s", 1)).first());
    }
    assertThat(next).contains(40L);
  }

  @Test
  void aReleaseToARowThatThisProcessDoesNotUseSucceeds() {
    StripedSequenceStore wide = striped(10, 4).build();
    done(wide.create("s", 0));
    List<SequenceBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocks.add(answer(wide.reserve("s", 2)));
    }
    StripedSequenceStore narrow = striped(10, 2).build();
    assertThat(answer(narrow.release("s", blocks.get(3)))).isTrue();
    assertThat(counter("s#3")).isZero();
  }

  /** The average of a row is one of what was measured, however long ago: only its weight fades. */
  @Test
  void theTimeBetweenMeasurementsDoesNotMakeARowCheaper() {
    AtomicLong now = new AtomicLong();
    StripeChooser chooser = chooser(now);
    measure(chooser, 0, now, Duration.ofMillis(100));
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    measure(chooser, 1, now, Duration.ofMillis(95));
    measure(chooser, 0, now, Duration.ofMillis(100));
    assertThat(chooser.choose()).as("95 ms against 100 ms").isEqualTo(1);
  }

  @Test
  void anOldMeasurementCountsForLittleBesideANewOne() {
    AtomicLong now = new AtomicLong();
    StripeChooser chooser = chooser(now);
    measure(chooser, 0, now, Duration.ofSeconds(1));
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    measure(chooser, 0, now, Duration.ofMillis(10));
    measure(chooser, 1, now, Duration.ofMillis(50));
    assertThat(chooser.choose()).as("10 ms against 50 ms").isEqualTo(0);
  }

  /** A clock may be set back, or be virtual, and begin below what was measured. */
  @Test
  void aClockThatGoesBackLeavesTheCostsComparable() {
    AtomicLong now = new AtomicLong(Long.MIN_VALUE / 2);
    StripeChooser chooser = chooser(now);
    measure(chooser, 0, now, Duration.ofMillis(100));
    now.addAndGet(-Duration.ofDays(400).toNanos());
    measure(chooser, 1, now, Duration.ofMillis(10));
    assertThat(chooser.choose()).as("row 0 was slower").isEqualTo(1);
    measure(chooser, 1, now, Duration.ofMinutes(10));
    assertThat(chooser.choose()).as("row 0 is faster").isEqualTo(0);
  }

  @Test
  void requestsThatAreCancelledOrThrowLeaveNothingUnderWay() {
    AtomicLong now = new AtomicLong();
    StripeChooser chooser = chooser(now);
    for (int i = 0; i < 5; i++) {
      Disposable request = chooser.measured(0, Mono.never()).subscribe();
      assertThat(chooser.choose()).as("one is under way to row 0").isEqualTo(1);
      request.dispose();
      StepVerifier.create(
              chooser.measured(
                  0,
                  Mono.defer(
                      () -> {
                        throw new IllegalStateException("on purpose");
                      })))
          .verifyErrorMessage("on purpose");
      now.addAndGet(Duration.ofDays(1).toNanos()); // the costs of both have faded
      assertThat(chooser.choose()).isEqualTo(0);
    }
  }

  private static StripeChooser chooser(AtomicLong now) {
    return new StripeChooser(
        2, StripeChoice.BETTER_OF_TWO, StripedSequenceStoreTest::likelier, now::get);
  }

  /** Has the first of two rows drawn first, and then the one chosen that is likelier. */
  private static int likelier(int bound) {
    return bound <= 2 ? 0 : bound / 2;
  }

  @Test
  void theCostlierOfTwoRowsIsChosenAsSeldomAsTheSquareOfItsCostSays() {
    AtomicLong now = new AtomicLong();
    Random random = new Random(5);
    StripeChooser chooser =
        new StripeChooser(2, StripeChoice.BETTER_OF_TWO, random::nextInt, now::get);
    measure(chooser, 0, now, Duration.ofMillis(99));
    measure(chooser, 1, now, Duration.ofMillis(199));
    now.addAndGet(-Duration.ofMillis(199).toNanos()); // neither has faded
    long costlier = IntStream.range(0, 100_000).filter(each -> chooser.choose() == 1).count();
    assertThat(costlier).isCloseTo(20_000, withinPercentage(3));
  }

  private static void measure(StripeChooser chooser, int row, AtomicLong now, Duration time) {
    chooser.measured(row, Mono.fromCallable(() -> now.addAndGet(time.toNanos()))).block(GUARD);
  }
}
