package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;

/** A use of a generator by name that the end of the stack breaks off leaves no lease behind. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class ExhaustedStackByNameTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long STACK = 256 * 1_024;
  private static final int DIVES = 3;
  private static final int DEPTHS = 800;

  /** More attempts than the stack has frames, which hold two addresses at least. */
  private static final int MOST = (int) STACK / 16;

  /** What somebody does at the end of a stack; what it returns is disposed with room to spare. */
  private enum Use {
    NEXT {
      @Override
      Disposable start(SequenceGenerator generator) {
        return generator.next().subscribe();
      }
    },
    LIST {
      @Override
      Disposable start(SequenceGenerator generator) {
        return generator.next(15).subscribe();
      }
    },
    STREAM {
      @Override
      Disposable start(SequenceGenerator generator) {
        return generator.values().take(5).subscribe();
      }
    },
    WARMUP {
      @Override
      Disposable start(SequenceGenerator generator) {
        return generator.warmup().subscribe();
      }
    },
    ASSIGN {
      @Override
      Disposable start(SequenceGenerator generator) {
        return Flux.range(1, 5).transform(generator.assign((element, value) -> value)).subscribe();
      }
    },
    OPEN {
      @Override
      Disposable start(SequenceGenerator generator) {
        return Probe.of(generator.values(), 0)::cancel;
      }
    },
    ASKED_LATER {
      @Override
      Disposable start(SequenceGenerator generator) {
        return Probe.of(generator.next(), 0)::cancel;
      }
    };

    abstract Disposable start(SequenceGenerator generator);
  }

  private final SequenceGenerators generators =
      SequenceGenerators.builder(InMemorySequenceStore.create())
          .scheduler(new InlineScheduler())
          .maxGenerators(2)
          .template("batch/{n}", options -> tuned(options).batchSize(10_000))
          .template("ordered/{n}", options -> tuned(options).batchSize(1))
          .build();

  private static SequenceGeneratorBuilder tuned(SequenceGeneratorBuilder options) {
    return options.scheduler(new InlineScheduler()).createMissing(1);
  }

  @BeforeEach
  void keepQuiet() {
    Hooks.onErrorDropped(overflow -> {});
  }

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  static Stream<Arguments> uses() {
    return Stream.of(Use.values())
        .flatMap(use -> Stream.of("batch/1", "ordered/1").map(name -> Arguments.of(use, name)));
  }

  @ParameterizedTest
  @MethodSource("uses")
  void aUseThatTheEndOfTheStackBreaksOffLeavesNoLease(Use use, String name) throws Exception {
    for (Use each : Use.values()) { // or the classes of others would be initialized down there
      each.start(generators.get(name)).dispose();
    }
    int overflows = 0;
    long started = 0;
    for (int dive = 0; dive < DIVES; dive++) {
      generators.get(name).next().subscribe(); // it is there
      SequenceGenerator handle = generators.get(name);
      @Nullable Disposable[] uses = new Disposable[MOST];
      EndOfStack deep =
          EndOfStack.diveUntilOneReturns(STACK, DEPTHS, depth -> uses[depth] = use.start(handle));
      overflows += deep.overflows();
      started += Stream.of(uses).filter(each -> each != null).count();
      Stream.of(uses).forEach(ExhaustedStackByNameTest::dispose);

      await("the end of the last lease, dive " + dive) // some goes on on a scheduler
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                generators.get(name).dispose();
                assertThat(generators.held()).isZero();
              });
    }
    assertThat(overflows).as("uses that were broken off").isPositive();
    assertThat(started).as("uses that were not").isPositive();
  }

  private static void dispose(@Nullable Disposable use) {
    if (use != null) {
      use.dispose();
    }
  }
}
