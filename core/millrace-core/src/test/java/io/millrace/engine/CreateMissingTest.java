package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Counters that are created when they are needed. Time is virtual. */
class CreateMissingTest {

  private static final Duration LATENCY = Duration.ofMillis(10);
  private static final Duration BACKOFF = Duration.ofMillis(50);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore memory =
      InMemorySequenceStore.create().latency(LATENCY, time);
  private final List<Long> creations = new ArrayList<>();
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  /** Set for the store to answer as one whose row was deleted. */
  private boolean deleted;

  /** How many creations fail from now on. */
  private int failures;

  private final SequenceStore store =
      new DelegatingSequenceStore(memory) {
        @Override
        public Mono<SequenceBlock> reserve(String sequence, long size) {
          return deleted
              ? Mono.error(new SequenceNotFoundException(sequence, "here", "do", null))
              : super.reserve(sequence, size);
        }

        @Override
        public Mono<Void> create(String sequence, long startValue) {
          return Mono.defer(
              () -> {
                creations.add(startValue);
                return failures-- > 0
                    ? Mono.error(new IOException("on purpose"))
                    : super.create(sequence, startValue);
              });
        }
      };

  private SequenceGenerator generator(Setting setting, long startValue) {
    return setting
        .builder(store, "s")
        .createMissing(startValue)
        .backoff(BACKOFF, BACKOFF, 0, 3)
        .scheduler(time)
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void thoseWhoWaitAreServedFromTheCounterThatIsCreatedOnce(Setting setting) {
    SequenceGenerator generator = generator(setting, -5);
    for (int i = 0; i < 10; i++) {
      generator.next().subscribe(seen::add, errors::add);
    }
    time.advanceTimeBy(LATENCY.multipliedBy(4));
    assertThat(seen).containsExactly(-5L, -4L, -3L, -2L, -1L, 0L, 1L, 2L, 3L, 4L);
    assertThat(creations).containsExactly(-5L);
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aWarmUpCreatesItToo(Setting setting) {
    List<String> done = new ArrayList<>();
    generator(setting, 7).warmup().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(done).containsExactly("done");
    assertThat(creations).containsExactly(7L);
  }

  @Test
  void aCounterThatExistsGoesOn() {
    memory.create("s", 100).subscribe();
    time.advanceTimeBy(LATENCY);
    generator(Setting.BATCH, 1).next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(LATENCY);
    assertThat(seen).containsExactly(100L);
    assertThat(creations).isEmpty();
  }

  @Test
  void aCreationThatFailsIsTriedAgainAfterTheBackoff() {
    failures = 2;
    generator(Setting.BATCH, 1).next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(creations).hasSize(3);
    assertThat(seen).containsExactly(1L);
    assertThat(errors).isEmpty();
  }

  @Test
  void aCounterThatVanishesAfterItWasUsedIsNotBegunAgain() {
    for (boolean created : new boolean[] {true, false}) {
      deleted = false;
      SequenceGenerator generator = generator(Setting.BATCH, 1);
      generator.next().subscribe(seen::add, errors::add);
      time.advanceTimeBy(LATENCY.multipliedBy(3));
      assertThat(creations).as("created by the first, found by the second").hasSize(1);
      deleted = true;
      generator.next(20).subscribe(all -> seen.addAll(all), errors::add);
      time.advanceTimeBy(LATENCY.multipliedBy(3));
      assertThat(errors)
          .as("after " + created)
          .hasSize(created ? 1 : 2)
          .hasOnlyElementsOfType(SequenceNotFoundException.class);
      assertThat(creations).hasSize(1);
    }
    assertThat(seen).hasSize(2);
  }

  @Test
  void withoutTheOptionAMissingCounterIsAnError() {
    SequenceGenerator.builder(store, "s")
        .scheduler(time)
        .build()
        .next()
        .subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(errors).hasSize(1).hasOnlyElementsOfType(SequenceNotFoundException.class);
    assertThat(creations).isEmpty();
  }

  /** The store under two requests at once: one is answered only after the other has created. */
  @Test
  void ofTwoFirstRequestsAtOnceTheOneAnsweredLastFindsTheCounter() {
    InMemorySequenceStore counters = InMemorySequenceStore.create();
    Sinks.One<SequenceBlock> late = Sinks.one();
    Queue<Mono<SequenceBlock>> answers = new ArrayDeque<>(List.of(late.asMono()));
    SequenceStore creating =
        new CreatingStore(
            new DelegatingSequenceStore(counters) {
              @Override
              public Mono<SequenceBlock> reserve(String sequence, long size) {
                Mono<SequenceBlock> held = answers.poll();
                return held != null ? held : super.reserve(sequence, size);
              }
            },
            1);
    List<SequenceBlock> blocks = new ArrayList<>();
    creating.reserve("s", 2).subscribe(blocks::add, errors::add);
    creating.reserve("s", 2).subscribe(blocks::add, errors::add);
    late.tryEmitError(new SequenceNotFoundException("s", "here", "do", null));
    assertThat(errors).isEmpty();
    assertThat(blocks).containsExactly(SequenceBlock.of(1, 2), SequenceBlock.of(3, 2));
  }
}
