package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A disposal that begins near the end of a stack ends, or says that it could not begin. */
class DisposalAtTheEndOfTheStackTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long STACK = 256 * 1_024;
  private static final int DIVES = 4;
  private static final int DEPTHS = 500;

  /** One subscription to a disposal. */
  private static final class Ending {

    private final Mono<Void> disposal;

    /** False if the stack had no room even for this object's method. */
    private volatile boolean begun;

    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    Ending(Mono<Void> disposal) {
      this.disposal = disposal;
    }

    void begin() {
      begun = true;
      try {
        disposal.subscribe(nothing -> {}, error -> failure = error, () -> ended = true);
      } catch (StackOverflowError overflow) {
        failure = overflow;
      }
    }

    boolean isOver() {
      return !begun || ended || failure != null;
    }
  }

  private enum What {
    GENERATOR {
      @Override
      Mono<Void> disposal(SequenceStore store, Scheduler scheduler) {
        SequenceGenerator generator =
            SequenceGenerator.builder(store, "s").batchSize(10).scheduler(scheduler).build();
        generator.next().block(LIMIT);
        return generator.disposeLater();
      }
    },
    GENERATORS {
      @Override
      Mono<Void> disposal(SequenceStore store, Scheduler scheduler) {
        SequenceGenerators generators =
            SequenceGenerators.builder(store)
                .scheduler(scheduler)
                .sequence("s", options -> options.batchSize(10).scheduler(scheduler))
                .build();
        generators.get("s").next().block(LIMIT);
        return generators.disposeLater();
      }
    };

    /** The disposal of something that holds values of the sequence. */
    abstract Mono<Void> disposal(SequenceStore store, Scheduler scheduler);
  }

  private final Scheduler scheduler = Schedulers.newParallel("engine", 2);

  @BeforeEach
  void keepQuiet() {
    Hooks.onErrorDropped(overflow -> {});
  }

  @AfterEach
  void tidyUp() {
    Hooks.resetOnErrorDropped();
    scheduler.dispose();
  }

  @ParameterizedTest
  @EnumSource
  void aDisposalEndsOrFailsAtEachDepthAndALaterOneEnds(What what) throws Exception {
    new Ending(what.disposal(store(), scheduler)).begin(); // its classes are initialized up here
    List<Ending> all = new ArrayList<>();
    for (int dive = 0; dive < DIVES; dive++) {
      List<Ending> endings =
          IntStream.range(0, DEPTHS)
              .mapToObj(depth -> new Ending(what.disposal(store(), scheduler)))
              .toList();
      EndOfStack.dive(STACK, DEPTHS, depth -> endings.get(depth).begin()).overflows();
      all.addAll(endings);
    }
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(all).filteredOn(each -> !each.isOver()).isEmpty());
    assertThat(all).filteredOn(each -> each.ended).as("that ended").isNotEmpty();
    assertThat(all).filteredOn(each -> each.failure != null).as("that failed").isNotEmpty();
    assertThat(all)
        .extracting(each -> each.failure)
        .filteredOn(failure -> failure != null)
        .allMatch(StackOverflowError.class::isInstance);
    for (Ending each : all) {
      each.disposal.block(LIMIT);
    }
  }

  private static SequenceStore store() {
    return InMemorySequenceStore.withSequence("s", 1);
  }
}
