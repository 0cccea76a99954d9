package io.millrace.striped;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceStore;
import io.millrace.StoreAccounts;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.function.Tuple2;

/** Several generators on stripes of one sequence, over rows that fail, delay and lose answers. */
class StripedUniquenessTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int VALUES = 5_000;

  /** Fails before or after a request took effect, or answers on another thread. */
  private static final class FaultyStore extends DelegatingSequenceStore {

    private final Random random;
    private final AtomicInteger faults = new AtomicInteger();

    FaultyStore(SequenceStore store, long seed) {
      super(store);
      this.random = new Random(seed);
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return faulty(super.reserve(request));
    }

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      return faulty(super.release(sequence, tail));
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return super.create(sequence, startValue).subscribeOn(Schedulers.parallel());
    }

    private <T> Mono<T> faulty(Mono<T> request) {
      return Mono.defer(
          () -> {
            int chance = random.nextInt(20);
            if (chance < 3) {
              faults.incrementAndGet();
            }
            return switch (chance) {
              case 0, 1 -> Mono.<T>error(new IOException("refused"));
              case 2 -> request.then(Mono.<T>error(new IOException("answer lost")));
              case 3, 4 -> request.delayElement(Duration.ofNanos(500_000));
              case 5 -> request.delaySubscription(Duration.ofNanos(500_000));
              default -> request.subscribeOn(Schedulers.parallel());
            };
          });
    }
  }

  private static long rowsOf(List<Long> values) {
    return values.stream().map(value -> value % 8).distinct().count();
  }

  @RepeatedTest(3)
  void generatorsWithDifferentNumbersOfRowsShareNoValue() {
    long seed = ThreadLocalRandom.current().nextLong();
    InMemorySequenceStore rows = InMemorySequenceStore.create();
    FaultyStore faulty = new FaultyStore(rows, seed);
    StripedSequenceStore.builder(rows).stride(8).stripes(1).build().create("s", 1).block(LIMIT);
    StoreAccounts accounts = new StoreAccounts();
    List<Long> values = new ArrayList<>();
    int rounds = 0;
    // the second starts where values were given back; which rows are used is up to chance
    for (; rounds < 2 || rows.releases() == 0 || rowsOf(values) < 8; rounds++) {
      List<SequenceGenerator> generators =
          Flux.just(1, 3, 5, 8)
              .map(
                  stripes ->
                      StripedSequenceStore.builder(faulty)
                          .stride(8)
                          .stripes(stripes)
                          .choice(
                              stripes == 5 ? StripeChoice.ROUND_ROBIN : StripeChoice.BETTER_OF_TWO)
                          .build())
              .map(
                  store ->
                      SequenceGenerator.builder(accounts.over(store), "s")
                          .blockSize(20)
                          .maxBlockSize(50)
                          .lowWatermark(7)
                          .metrics(accounts.recorder())
                          .backoff(Duration.ofMillis(1), Duration.ofMillis(5), 0.5, 100)
                          .build())
              .collectList()
              .blockOptional(LIMIT)
              .orElseThrow();
      values.addAll(
          Objects.requireNonNull(
              Flux.fromIterable(generators)
                  .flatMap(
                      generator ->
                          generator
                              .values()
                              .index()
                              .takeUntil(each -> each.getT1() == VALUES - 1) // gives some back
                              .map(Tuple2::getT2)
                              .subscribeOn(Schedulers.parallel()),
                      4)
                  .collectList()
                  .block(LIMIT)));
      generators.forEach(generator -> generator.disposeLater().block(LIMIT));
    }
    assertThat(values)
        .as("seed %d", seed)
        .hasSize(rounds * 4 * VALUES)
        .doesNotHaveDuplicates()
        .allMatch(value -> value >= 1);
    assertThat(accounts.faultOf("s", values.size(), 0)).as("seed %d", seed).isEmpty();
    assertThat(rowsOf(values)).as("rows used").isEqualTo(8);
    assertThat(faulty.faults).as("faults, seed %d", seed).hasValueGreaterThan(50);
    assertThat(rows.releases()).as("releases, seed %d", seed).isPositive();
  }
}
