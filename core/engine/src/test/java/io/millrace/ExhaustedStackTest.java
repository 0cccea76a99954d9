package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A subscriber whose stack is used up ends its own work, and nobody else's. */
class ExhaustedStackTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long STACK = 512 * 1_024;
  private static final int DEPTHS = 600;

  private final Scheduler scheduler = Schedulers.newParallel("engine", 2);
  private final StoreAccounts accounts = new StoreAccounts();
  private final SequenceStore store =
      accounts.over(
          InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofMillis(1), scheduler));

  @AfterEach
  void tidyUp() {
    scheduler.dispose();
  }

  /** What somebody does at the end of a stack. */
  private enum Use implements BiConsumer<SequenceGenerator, List<Runnable>> {
    NEXT {
      @Override
      public void accept(SequenceGenerator generator, List<Runnable> cancels) {
        cancels.add(generator.next().subscribe()::dispose);
      }
    },
    LIST {
      @Override
      public void accept(SequenceGenerator generator, List<Runnable> cancels) {
        cancels.add(generator.next(15).subscribe()::dispose);
      }
    },
    STREAM {
      @Override
      public void accept(SequenceGenerator generator, List<Runnable> cancels) {
        cancels.add(generator.values().take(40).subscribe()::dispose);
      }
    },
    CANCEL {
      @Override
      public void accept(SequenceGenerator generator, List<Runnable> cancels) {
        generator.values().take(40).subscribe().dispose();
      }
    }
  }

  static Stream<Arguments> uses() {
    return Stream.of(Use.values())
        .flatMap(
            use ->
                Stream.of(Setting.ORDERED, Setting.BATCH, Setting.ASYNCHRONOUS_BATCH)
                    .map(setting -> Arguments.of(use, setting)));
  }

  @ParameterizedTest
  @MethodSource("uses")
  void overflowsAtManyDepthsLeaveTheGeneratorAlive(Use use, Setting setting) throws Exception {
    SequenceGenerator generator =
        setting
            .builder(store, "s", 50)
            .scheduler(scheduler)
            .acquireTimeout(LIMIT)
            .metrics(accounts.recorder())
            .build();
    AtomicInteger attempts = new AtomicInteger();
    List<Runnable> cancels = new ArrayList<>();
    for (Use each : Use.values()) { // or the classes of others would be initialized down there
      each.accept(generator, cancels);
    }
    await().atMost(LIMIT).untilAsserted(() -> assertThat(generator.snapshot().waiters()).isZero());
    EndOfStack deep =
        EndOfStack.dive(
            STACK,
            DEPTHS,
            depth -> {
              use.accept(generator, cancels);
              attempts.incrementAndGet();
            });
    int healthy = 0;
    while (deep.isDiving()) { // others, who wait meanwhile
      assertThat(generator.next().block(LIMIT)).isNotNull();
      healthy++;
    }
    assertThat(deep.overflows()).as("overflows, of them some inside").isPositive();
    assertThat(attempts.get() + healthy).isPositive();

    assertThat(generator.next().block(LIMIT)).isNotNull();
    cancels.forEach(Runnable::run);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(generator.snapshot().waiters()).isZero());
    generator.disposeLater().block(LIMIT);
    long issued = generator.snapshot().issued(); // a value issued down there may reach nobody
    assertThat(accounts.faultOf(generator, issued)).isEmpty();
    assertThat(((BufferedSequenceGenerator) generator).queueLength()).isZero();
  }
}
