package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;

/** What a generator gives to users passes the hooks of assembly, and works as before. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssemblyHooksTest {

  private static final String HOOK = "test";

  private final List<String> seen = new CopyOnWriteArrayList<>(); // other threads assemble, too

  private enum Kind {
    OWN,
    BY_NAME;

    SequenceGenerator generator() {
      SequenceStore store = InMemorySequenceStore.withSequence("s", 1);
      return this == OWN
          ? SequenceGenerator.builder(store, "s").build()
          : SequenceGenerators.builder(store).anyName().build().get("s");
    }
  }

  @AfterEach
  void resetHooks() {
    Hooks.resetOnEachOperator(HOOK);
    Hooks.resetOnOperatorDebug();
  }

  private void watch() {
    Hooks.onEachOperator(
        HOOK,
        publisher -> {
          seen.add(publisher.getClass().getSimpleName());
          return publisher;
        });
  }

  @ParameterizedTest
  @EnumSource
  void everyPublisherOfAGeneratorIsSeen(Kind kind) {
    SequenceGenerator generator = kind.generator();
    List<Function<SequenceGenerator, Publisher<?>>> publishers =
        List.of(
            SequenceGenerator::next,
            own -> own.next(3),
            SequenceGenerator::values,
            SequenceGenerator::warmup,
            own -> own.<Integer, Long>assign((element, value) -> value).apply(Flux.just(1)));
    watch();
    for (Function<SequenceGenerator, Publisher<?>> each : publishers) {
      seen.clear();
      Publisher<?> made = each.apply(generator);
      assertThat(seen).contains(made.getClass().getSimpleName());
    }
  }

  @Test
  void theOperatorDebugModeNamesThePublisherThatFailed() {
    Hooks.onOperatorDebug();
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "none").build();

    assertThatThrownBy(() -> generator.next().block(Duration.ofSeconds(30)))
        .isInstanceOf(SequenceNotFoundException.class)
        .hasStackTraceContaining("SequenceMono");
  }

  /** A hook that puts an operator of its own around everything. */
  @ParameterizedTest
  @EnumSource
  void assignTakesAndGivesBackTheSameBehindHooksThatWrap(Kind kind) {
    Hooks.onEachOperator(HOOK, Operators.lift((scannable, actual) -> actual));
    Hooks.onOperatorDebug();
    SequenceGenerator generator = kind.generator();
    generator.warmup().block(Duration.ofSeconds(30));
    List<Long> given = new ArrayList<>();

    Flux.range(0, 200)
        .transform(generator.<Integer, Long>assign((element, value) -> value))
        .subscribe(
            new BaseSubscriber<Long>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
              }

              @Override
              protected void hookOnNext(Long value) {
                given.add(value);
                if (given.size() == 3) {
                  cancel();
                }
              }
            });

    assertThat(given).containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.values().take(2).collectList().block(Duration.ofSeconds(30)))
        .containsExactly(4L, 5L);
  }
}
