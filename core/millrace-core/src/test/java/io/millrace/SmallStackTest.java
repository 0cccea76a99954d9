package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/**
 * A hundred thousand values on a small stack, from a store that answers on the stack of whoever
 * asks: what would be a recursion elsewhere has to be a loop.
 */
class SmallStackTest {

  private static final int MANY = 100_000;
  private static final long STACK = 256 * 1_024;

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  @ParameterizedTest
  @EnumSource
  void manyValuesRequestedAtOnce(Setting setting) throws Exception {
    receivesMany(
        setting, (generator, received) -> generator.values().subscribe(new Taker(received, true)));
  }

  @ParameterizedTest
  @EnumSource
  void manyValuesRequestedOneByOneFromOnNext(Setting setting) throws Exception {
    receivesMany(
        setting, (generator, received) -> generator.values().subscribe(new Taker(received, false)));
  }

  @ParameterizedTest
  @EnumSource
  void manySubscriptionsToNext(Setting setting) throws Exception {
    receivesMany(
        setting,
        (generator, received) ->
            generator.next().repeat(MANY - 1).subscribe(value -> count(received, value)));
  }

  @ParameterizedTest
  @EnumSource
  void manyElementsAreAssignedAValue(Setting setting) throws Exception {
    receivesMany(
        setting,
        (generator, received) ->
            Flux.range(1, MANY)
                .transform(generator.<Integer, Long>assign((element, value) -> value))
                .subscribe(value -> count(received, value)));
  }

  private void receivesMany(Setting setting, BiConsumer<SequenceGenerator, AtomicLong> subscribing)
      throws Exception {
    SequenceGenerator generator =
        setting.builder(store, "s").scheduler(new InlineScheduler()).build();
    AtomicLong received = new AtomicLong();
    CompletableFuture<Void> done = new CompletableFuture<>();
    Runnable task = () -> subscribing.accept(generator, received);
    Thread thread = new Thread(null, task, "small stack", STACK);
    thread.setUncaughtExceptionHandler((failed, thrown) -> done.completeExceptionally(thrown));
    thread.start();
    thread.join(TimeUnit.MINUTES.toMillis(2));
    assertThat(done).isNotCompletedExceptionally();
    assertThat(received).hasValue(MANY);
    assertThat(generator.snapshot().waiters()).isZero();
  }

  /** Checks on the way that nothing is left out. */
  private static void count(AtomicLong received, long value) {
    if (received.incrementAndGet() != value) {
      throw new AssertionError("value " + value + " came as number " + received);
    }
  }

  private static final class Taker extends BaseSubscriber<Long> {

    private final AtomicLong received;
    private final boolean atOnce;

    Taker(AtomicLong received, boolean atOnce) {
      this.received = received;
      this.atOnce = atOnce;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(atOnce ? Long.MAX_VALUE : 1);
    }

    @Override
    protected void hookOnNext(Long value) {
      count(received, value);
      if (received.get() == MANY) {
        cancel();
      } else if (!atOnce) {
        request(1);
      }
    }
  }
}
