package io.millrace.striped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A name belongs to a plain sequence or to a striped one, and changes hands only by a stripe. */
class PlainAndStripedTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int STRIDE = 4;
  private static final int ROUNDS = 3_000;

  /** The requests of a creation: 6 for the records, and 4 rows. */
  private static final int REQUESTS = 10;

  private final InMemorySequenceStore rows = InMemorySequenceStore.create();

  private static StripedSequenceStore striped(SequenceStore store) {
    return StripedSequenceStore.builder(store).stride(STRIDE).stripes(STRIDE).build();
  }

  private static SequenceGenerator generator(SequenceStore store, int blockSize) {
    return SequenceGenerator.builder(store, "s").blockSize(blockSize).createMissing(1).build();
  }

  private static List<Long> take(SequenceGenerator generator, int count) {
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(generator.next().blockOptional(LIMIT).orElseThrow());
    }
    return values;
  }

  private static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  private static List<Long> reserve(SequenceStore store, int blocks) {
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      values.addAll(valuesOf(store.reserve("s", 3).blockOptional(LIMIT).orElseThrow()));
    }
    return values;
  }

  /** What the plain sequence gives to a process that creates it if it is missing. */
  private static List<Long> plainValues(SequenceStore store) {
    try {
      store.create("s", 1).block(LIMIT);
      return reserve(store, 2);
    } catch (SequenceExhaustedException ended) {
      return List.of();
    }
  }

  private long counter(String row) {
    return counter(rows, row);
  }

  private static long counter(SequenceStore store, String row) {
    return store.state(row).blockOptional(LIMIT).orElseThrow().nextValue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void aPlainGeneratorGetsNoValueOfAStripedSequence(int blockSize) {
    striped(rows).create("s", 1).block(LIMIT);
    assertThat(take(generator(striped(rows), 5), 10)).hasSize(10);
    SequenceGenerator plain = generator(rows, blockSize);
    rows.create("s", 1).block(LIMIT);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatExceptionOfType(SequenceExhaustedException.class)
          .isThrownBy(() -> take(plain, 1))
          .withMessageContaining("'s'")
          .withMessageEndingWith(
              "if it was striped, use it through a StripedSequenceStore; else move to another"
                  + " sequence");
    }
    assertThat(counter("s")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aPlainSequenceIsRefusedAndGoesOn() {
    SequenceGenerator plain = generator(rows, 5);
    assertThat(take(plain, 6)).hasSize(6);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatExceptionOfType(SequenceStoreException.class)
          .isThrownBy(() -> striped(rows).create("s", 1_000).block(LIMIT))
          .withMessageContaining(
              "'s' is striped, but the sequence is a plain one, and its next value is 11:")
          .withMessageContaining("stripe(name)")
          .satisfies(
              error -> {
                assertThat(error.sequence()).isEqualTo("s");
                assertThat(error.isPermanent()).isTrue();
              });
    }
    assertThatExceptionOfType(SequenceStoreException.class)
        .isThrownBy(() -> take(generator(striped(rows), 5), 1));
    assertThat(counter("s")).isEqualTo(11);
    StepVerifier.create(rows.state("s#start")).verifyError(SequenceNotFoundException.class);
    StepVerifier.create(rows.state("s#stride")).verifyError(SequenceNotFoundException.class);
    assertThat(take(plain, 14)).endsWith(20L);
  }

  /** A rolling update: the old process runs on while the new one takes the sequence over. */
  @Test
  void aPlainProcessEndsWithAnErrorOnceTheSequenceIsStriped() {
    SequenceGenerator plain = generator(rows, 5);
    List<Long> values = new ArrayList<>(take(plain, 6));
    StripedSequenceStore store = striped(rows);
    store.stripe("s").block(LIMIT);
    SequenceGenerator striped = generator(store, 5);
    values.addAll(take(striped, 20));
    values.addAll(take(plain, 4)); // what it had reserved
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> take(plain, 1))
        .withMessageContaining("StripedSequenceStore");
    plain.disposeLater().block(LIMIT);
    values.addAll(take(striped, 20));
    assertThat(values).hasSize(50).doesNotHaveDuplicates();
    assertThat(counter("s#start")).as("a quiet sequence leaves no value out").isEqualTo(11);
    assertThat(counter("s")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void valuesThatAPlainProcessGivesBackAfterwardsAreAGap() {
    rows.create("s", 1).block(LIMIT);
    SequenceBlock block = rows.reserve("s", 5).blockOptional(LIMIT).orElseThrow();
    striped(rows).stripe("s").block(LIMIT);
    assertThat(rows.release("s", block.slice(2, 5)).block(LIMIT)).isFalse();
    assertThat(counter("s")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aStripedSequenceIsNotStripedAgain() {
    striped(rows).create("s", 7).block(LIMIT);
    List<Long> values = reserve(striped(rows), 5);
    striped(rows).stripe("s").block(LIMIT);
    values.addAll(reserve(striped(rows), 5));
    assertThat(values).doesNotHaveDuplicates();
    assertThat(counter("s#start")).isEqualTo(7);
    StripedSequenceStore wrong = StripedSequenceStore.builder(rows).stride(8).stripes(4).build();
    StepVerifier.create(wrong.stripe("s")).verifyError(SequenceStoreException.class);
  }

  @Test
  void aMissingSequenceIsNotStriped() {
    StepVerifier.create(striped(rows).stripe("s")).verifyError(SequenceNotFoundException.class);
    StepVerifier.create(rows.state("s#start")).verifyError(SequenceNotFoundException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPlainSequenceThatReachedItsEndIsRefused(boolean stripe) {
    rows.create("s", SequenceState.LARGEST_VALUE).block(LIMIT);
    rows.reserve("s", 1).block(LIMIT);
    Mono<Void> request = stripe ? striped(rows).stripe("s") : striped(rows).create("s", 1);
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> request.block(LIMIT))
        .withMessageContaining("it is a plain sequence");
    StepVerifier.create(rows.state("s#stride")).verifyError(SequenceNotFoundException.class);
  }

  @Test
  void aPlainRowThatWasDeletedComesBackWithTheNextCreation() {
    striped(rows).create("s", 1).block(LIMIT);
    InMemorySequenceStore others = InMemorySequenceStore.create();
    SequenceStore withoutPlain =
        new DelegatingSequenceStore(rows) {
          private SequenceStore of(String sequence) {
            return sequence.equals("s") ? others : rows;
          }

          @Override
          public Mono<SequenceState> state(String sequence) {
            return of(sequence).state(sequence);
          }

          @Override
          public Mono<Boolean> exhaust(String sequence, long limit) {
            return of(sequence).exhaust(sequence, limit);
          }
        };
    striped(withoutPlain).create("s", 1).block(LIMIT);
    assertThat(plainValues(others)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE - 5_000})
  void aStartValueOfAnEarlierAttemptIsMovedToThePlainCounter(long left) {
    long next = Long.MAX_VALUE - 4_000;
    rows.create("s#start", left).block(LIMIT);
    rows.create("s", next).block(LIMIT);
    striped(rows).stripe("s").block(LIMIT);
    assertThat(counter("s#start")).isEqualTo(next);
    assertThat(reserve(striped(rows), 4)).allMatch(value -> value >= next);
  }

  @Test
  void aStartValueOfAnEarlierAttemptIsMovedNoFartherWhereverTwoStripesMeet() {
    long next = 1_200_000_000;
    int at = 0;
    for (InterruptedStore met; ; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", next);
      store.create("s#start", 1).block(LIMIT);
      met = InterruptedStore.before(store, at, () -> striped(store).stripe("s").block(LIMIT));
      striped(met).stripe("s").block(LIMIT);
      assertThat(counter(store, "s#start")).as("before request %d", at).isEqualTo(next);
      if (met.isUntouched()) {
        break;
      }
    }
    assertThat(at).as("requests").isGreaterThanOrEqualTo(10);
  }

  @Test
  void aPlainSequenceOfNegativeValuesIsStripedWhereItStands() {
    rows.create("s", Long.MIN_VALUE).block(LIMIT);
    List<Long> values = reserve(rows, 3);
    striped(rows).stripe("s").block(LIMIT);
    values.addAll(reserve(striped(rows), 8));
    assertThat(values).doesNotHaveDuplicates();
    assertThat(counter("s#start")).isEqualTo(Long.MIN_VALUE + 9);
  }

  @Test
  void messagesShowAHostileNameQuoted() {
    String hostile = "a\nb";
    rows.create(hostile, 1).block(LIMIT);
    for (Mono<?> request :
        List.of(
            striped(rows).create(hostile, 1),
            new InMemoryWithoutEnd().exhaust(hostile, 1),
            new InMemoryWithoutEnd().moveForward(hostile, 1))) {
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> request.block(LIMIT))
          .withMessageContaining("'a\\u000Ab'")
          .withMessageNotContaining("\n");
    }
  }

  @Test
  void aStoreThatCannotEndASequenceIsNotStriped() {
    SequenceStore old =
        new DelegatingSequenceStore(rows) {
          @Override
          public Mono<Boolean> exhaust(String sequence, long limit) {
            return new InMemoryWithoutEnd().exhaust(sequence, limit);
          }
        };
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> striped(old).create("s", 1).block(LIMIT))
        .withMessageContaining("'s'");
    StepVerifier.create(rows.state("s#stride")).verifyError(SequenceNotFoundException.class);
  }

  /** Has the default of the interface. */
  private static final class InMemoryWithoutEnd implements SequenceStore {
    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return Mono.never();
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return Mono.never();
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return Mono.never();
    }

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public boolean isReleasable() {
      return true;
    }
  }

  /** Does something at one of its requests, which are numbered from 0. */
  private static final class InterruptedStore extends DelegatingSequenceStore {

    private final int at;
    private final Interruption interruption;
    private int requests;

    interface Interruption {
      <T> Mono<T> at(Mono<T> request);
    }

    InterruptedStore(SequenceStore store, int at, Interruption interruption) {
      super(store);
      this.at = at;
      this.interruption = interruption;
    }

    static InterruptedStore before(SequenceStore store, int at, Runnable action) {
      return new InterruptedStore(
          store,
          at,
          new Interruption() {
            @Override
            public <T> Mono<T> at(Mono<T> request) {
              action.run();
              return request;
            }
          });
    }

    /** Fails one request and all after it, as a process does that ends. */
    static InterruptedStore crash(SequenceStore store, int at, boolean answerLost) {
      return new InterruptedStore(
          store,
          at,
          new Interruption() {
            @Override
            public <T> Mono<T> at(Mono<T> request) {
              Mono<T> failure = Mono.error(new IOException("crash"));
              return answerLost ? request.materialize().then(failure) : failure;
            }
          });
    }

    private <T> Mono<T> request(Mono<T> request) {
      return Mono.defer(() -> requests++ == at ? interruption.at(request) : request);
    }

    /** Whether the requests were too few. */
    boolean isUntouched() {
      return requests <= at;
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return request(super.reserve(request));
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return request(super.create(sequence, startValue));
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return request(super.state(sequence));
    }

    @Override
    public Mono<Boolean> exhaust(String sequence, long limit) {
      return request(super.exhaust(sequence, limit));
    }

    @Override
    public Mono<SequenceState> moveForward(String sequence, long nextValue) {
      return request(super.moveForward(sequence, nextValue));
    }
  }

  private static boolean succeeds(Mono<Void> request) {
    try {
      request.block(LIMIT);
      return true;
    } catch (SequenceStoreException refused) {
      return false;
    }
  }

  private static void fails(Mono<Void> request) {
    StepVerifier.create(request).verifyErrorMessage("crash");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCreationThatEndsAtAnyRequestIsCompletedByTheNext(boolean answerLost) {
    for (int at = 0; at < REQUESTS; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.create();
      fails(striped(InterruptedStore.crash(store, at, answerLost)).create("s", 5));
      striped(store).create("s", 5).block(LIMIT);
      assertThat(plainValues(store)).isEmpty();
      assertThat(reserve(striped(store), 8)).doesNotHaveDuplicates().allMatch(value -> value >= 5);
    }
    InterruptedStore whole = InterruptedStore.crash(rows, REQUESTS, answerLost);
    striped(whole).create("s", 5).block(LIMIT);
    assertThat(whole.isUntouched()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterACreationThatEndedAtAnyRequestThePlainSequenceAndTheStripesShareNoValue(
      boolean answerLost) {
    int plain = 0;
    int striped = 0;
    for (int at = 0; at < REQUESTS; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.create();
      fails(striped(InterruptedStore.crash(store, at, answerLost)).create("s", 1));
      List<Long> values = new ArrayList<>(plainValues(store));
      boolean plainHasValues = !values.isEmpty();
      assertThat(succeeds(striped(store).create("s", 1))).isEqualTo(!plainHasValues);
      if (plainHasValues) {
        striped(store).stripe("s").block(LIMIT);
        plain++;
      } else {
        striped++;
      }
      values.addAll(reserve(striped(store), 8));
      assertThat(values).as("crash at request %d", at).doesNotHaveDuplicates();
    }
    assertThat(plain).isGreaterThanOrEqualTo(2);
    assertThat(striped).isGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStripeThatEndsAtAnyRequestSharesNoValueAndIsCompletedByTheNext(boolean answerLost) {
    int crashes = 0;
    for (int at = 0; ; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
      store.create("s#start", 1).block(LIMIT); // an earlier attempt
      List<Long> values = reserve(store, 4);
      InterruptedStore crashing = InterruptedStore.crash(store, at, answerLost);
      List<Throwable> errors = new ArrayList<>();
      striped(crashing).stripe("s").subscribe(done -> {}, errors::add);
      if (crashing.isUntouched()) {
        break;
      }
      assertThat(errors).hasSize(1).hasOnlyElementsOfType(IOException.class);
      values.addAll(plainValues(store));
      striped(store).stripe("s").block(LIMIT);
      values.addAll(plainValues(store));
      values.addAll(reserve(striped(store), 8));
      assertThat(values).as("crash at request %d", at).doesNotHaveDuplicates();
      crashes++;
    }
    assertThat(crashes).as("7 requests for the records, and 4 rows").isEqualTo(11);
  }

  @Test
  void ofAPlainAndAStripedCreationExactlyOneSucceedsWhereverTheyMeet() {
    int plain = 0;
    int striped = 0;
    for (int at = 0; ; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.create();
      List<Long> values = new ArrayList<>();
      InterruptedStore met =
          InterruptedStore.before(store, at, () -> values.addAll(plainValues(store)));
      boolean created = succeeds(striped(met).create("s", 1));
      if (met.isUntouched()) {
        break;
      }
      assertThat(created).as("before request %d", at).isEqualTo(values.isEmpty());
      if (created) {
        reserve(striped(store), 1);
        striped++;
      } else {
        assertThat(plainValues(store)).isNotEmpty();
        StepVerifier.create(striped(store).reserve("s", 1))
            .verifyError(SequenceNotFoundException.class);
        plain++;
      }
    }
    assertThat(plain).isGreaterThanOrEqualTo(2);
    assertThat(striped).isGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPlainProcessThatReservesOrGivesBackDuringAStripeSharesNoValue(boolean givesBack) {
    int open = 0;
    int ended = 0;
    for (int at = 0; ; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
      List<Long> values = reserve(store, 1);
      SequenceBlock newest = store.reserve("s", 5).blockOptional(LIMIT).orElseThrow();
      List<Long> during = new ArrayList<>();
      InterruptedStore met =
          InterruptedStore.before(
              store,
              at,
              () -> {
                if (givesBack && !store.release("s", newest).blockOptional(LIMIT).orElseThrow()) {
                  return;
                }
                during.addAll(plainValues(store));
              });
      striped(met).stripe("s").block(LIMIT);
      if (met.isUntouched()) {
        break;
      }
      if (during.isEmpty()) {
        ended++;
      } else {
        open++;
      }
      if (!givesBack) {
        values.addAll(valuesOf(newest));
      }
      values.addAll(during);
      assertThat(plainValues(store)).isEmpty();
      values.addAll(reserve(striped(store), 8));
      assertThat(values).as("before request %d", at).doesNotHaveDuplicates();
    }
    assertThat(open).isGreaterThanOrEqualTo(3);
    assertThat(ended).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aBusyPlainSequenceIsStripedAheadOfItsCounter() {
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    List<Long> values = new ArrayList<>();
    List<Long> limits = new ArrayList<>();
    SequenceStore busy =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<Boolean> exhaust(String sequence, long limit) {
            return Mono.defer(
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    values.addAll(plainValues(store));
                  }
                  limits.add(limit);
                  return super.exhaust(sequence, limit);
                });
          }
        };
    striped(busy).stripe("s").block(LIMIT);
    values.addAll(reserve(striped(store), 8));
    assertThat(values).hasSize(4 * 6_000 + 24).doesNotHaveDuplicates();
    assertThat(limits).as("without a margin, and with growing ones").hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoStridesOneIsRecordedWhereverTheCallsMeet(boolean plainBefore) {
    int refused = 0;
    int refusing = 0;
    for (int at = 0; ; at++) {
      InMemorySequenceStore store = InMemorySequenceStore.create();
      List<Long> values = new ArrayList<>();
      if (plainBefore) {
        values.addAll(plainValues(store));
      }
      StripedSequenceStore other = StripedSequenceStore.builder(store).stride(8).stripes(8).build();
      List<Throwable> others = new ArrayList<>();
      InterruptedStore met =
          InterruptedStore.before(
              store,
              at,
              () ->
                  (plainBefore ? other.stripe("s") : other.create("s", 100))
                      .subscribe(done -> {}, others::add));
      StripedSequenceStore one = striped(met);
      List<Throwable> ones = new ArrayList<>();
      (plainBefore ? one.stripe("s") : one.create("s", 1)).subscribe(done -> {}, ones::add);
      if (met.isUntouched()) {
        break;
      }
      assertThat(ones.size() + others.size()).as("before request %d", at).isEqualTo(1);
      assertThat(ones.isEmpty() ? others : ones)
          .hasOnlyElementsOfType(SequenceStoreException.class);
      refused += ones.size();
      refusing += others.size();
      values.addAll(reserve(ones.isEmpty() ? striped(store) : other, 16));
      assertThat(values).doesNotHaveDuplicates();
    }
    assertThat(refused).isGreaterThanOrEqualTo(3);
    assertThat(refusing).isGreaterThanOrEqualTo(3);
  }

  /** Runs tasks at the same time, each after a random while. */
  @SafeVarargs
  private static <T> List<T> race(ExecutorService threads, Random random, Callable<T>... tasks)
      throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.length);
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> task : tasks) {
      int spins = random.nextInt(400);
      futures.add(
          threads.submit(
              () -> {
                start.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                for (int spin = 0; spin < spins; spin++) {
                  Thread.onSpinWait();
                }
                return task.call();
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(future.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }
    return results;
  }

  private static List<Long> stripedValues(StripedSequenceStore store, Mono<Void> request) {
    return succeeds(request) ? reserve(store, 4) : List.of();
  }

  @Test
  void ofAPlainAndAStripedCreationInTwoThreadsExactlyOneGetsValues() throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    int plain = 0;
    try {
      for (int round = 0; round < ROUNDS; round++) {
        InMemorySequenceStore store = InMemorySequenceStore.create();
        StripedSequenceStore striped = striped(store);
        List<List<Long>> values =
            race(
                threads,
                random,
                () -> plainValues(store),
                () -> stripedValues(striped, striped.create("s", 1)));
        assertThat(values.get(0).isEmpty())
            .as("seed %d, round %d", seed, round)
            .isNotEqualTo(values.get(1).isEmpty());
        plain += values.get(1).isEmpty() ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(plain).as("won by plain, seed %d", seed).isBetween(1, ROUNDS - 1);
  }

  @Test
  void twoThatStripeWhileAPlainProcessReservesShareNoValue() throws Exception {
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    int cutOff = 0;
    try {
      for (int round = 0; round < ROUNDS; round++) {
        InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
        StripedSequenceStore one = striped(store);
        StripedSequenceStore other = striped(store);
        List<List<Long>> values =
            race(
                threads,
                random,
                () -> reserveUntilTheEnd(store, 40),
                () -> stripedValues(one, one.stripe("s")),
                () -> stripedValues(other, other.stripe("s")));
        List<Long> all = values.stream().flatMap(List::stream).toList();
        assertThat(all).as("seed %d, round %d", seed, round).doesNotHaveDuplicates();
        int plain = values.get(0).size() / 3;
        assertThat(all).hasSize(3 * (plain + 8));
        cutOff += plain > 0 && plain < 40 ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cutOff).as("ended at work, seed %d", seed).isPositive();
  }

  /** What a plain process gets, which also gives a value back now and then. */
  private static List<Long> reserveUntilTheEnd(SequenceStore store, int blocks) {
    List<Long> values = new ArrayList<>();
    try {
      for (int i = 0; i < blocks; i++) {
        SequenceBlock block = store.reserve("s", 4).blockOptional(LIMIT).orElseThrow();
        values.addAll(valuesOf(block).subList(0, 3));
        store.release("s", block.slice(3, 4)).block(LIMIT);
      }
    } catch (SequenceExhaustedException ended) {
      return values;
    }
    return values;
  }
}
