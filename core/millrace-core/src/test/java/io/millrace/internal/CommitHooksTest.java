package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class CommitHooksTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final CommitHooks hooks = new CommitHooks();
  private final List<String> steps = new ArrayList<>();

  /** A counter that notes what is taken from it. */
  private final class Counter {

    private final String name;
    private long next = 1;

    Counter(String name) {
      this.name = name;
    }

    Mono<List<Long>> take(int count) {
      return Mono.fromCallable(
          () -> {
            steps.add(name + " x " + count);
            next += count;
            return LongStream.range(next - count, next).boxed().toList();
          });
    }

    <T> Mono<T> register(LongFunction<Mono<T>> use) {
      return Objects.requireNonNull(hooks.number(name, this, this::take, use).block(LIMIT));
    }

    Mono<String> register() {
      return register(number -> Mono.fromCallable(() -> noted(name + number)));
    }
  }

  private String noted(String step) {
    steps.add(step);
    return step;
  }

  private final Counter a = new Counter("a");
  private final Counter b = new Counter("b");

  private void run() {
    hooks.run().block(LIMIT);
  }

  @Test
  void hooksComeFirstThenTheNumbersCounterByCounterThenTheFunctionsAsTheyWereAdded() {
    b.register();
    a.register();
    hooks.add(() -> Mono.fromRunnable(() -> steps.add("hook")));
    b.register();
    run();
    assertThat(steps).containsExactly("hook", "a x 1", "b x 2", "b1", "a1", "b2");
  }

  @Test
  void whatRunsMayAddMoreAndNothingIsAddedAfterwards() {
    a.register(
        outer -> {
          hooks.add(() -> Mono.fromRunnable(() -> steps.add("hook")));
          a.register();
          return Mono.empty();
        });
    run();
    assertThat(steps).containsExactly("a x 1", "hook", "a x 1", "a2");
    assertThatThrownBy(a::register).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> hooks.add(Mono::empty)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void countersAreTakenInTheOrderOfTheirCodePointsAndTheNumbersOfOneObjectTogether() {
    Counter above = new Counter("\ud83d\ude00");
    Counter below = new Counter("\uffe5");
    Counter same = new Counter("a");
    above.register();
    below.register();
    a.register();
    same.register();
    a.register();
    run();
    assertThat(steps.subList(0, 4))
        .containsExactly("a x 2", "a x 1", "\uffe5 x 1", "\ud83d\ude00 x 1");
  }

  @Test
  void onceClosedNothingIsAddedNothingRunsAndNoFunctionHasAValue() {
    Mono<String> value = a.register();
    hooks.add(() -> Mono.fromRunnable(() -> steps.add("hook")));
    hooks.close();
    assertThatThrownBy(a::register)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is over");
    assertThatThrownBy(() -> hooks.add(Mono::empty)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(this::run).isInstanceOf(IllegalStateException.class);
    assertThat(steps).isEmpty();
    assertThatThrownBy(() -> value.block(LIMIT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("did not commit");
  }

  @Test
  void aValueStaysWhenTheHooksAreClosedAfterTheyHaveRun() {
    Mono<String> value = a.register();
    run();
    hooks.close();
    assertThat(value.block(LIMIT)).isEqualTo("a1");
  }

  @Test
  void whatIsLeftWhenTheHooksAreClosedMeanwhileDoesNotRun() {
    hooks.add(() -> Mono.fromRunnable(hooks::close));
    a.register();
    assertThatThrownBy(this::run).isInstanceOf(IllegalStateException.class);
    assertThat(steps).isEmpty();
  }

  @Test
  void theValueOfAFunctionIsThereOnceItHasCompletedAndMayBeEmpty() {
    Mono<String> value = a.register();
    Mono<Object> none = a.register(number -> Mono.empty());
    assertThatThrownBy(() -> value.block(LIMIT)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> none.block(LIMIT)).isInstanceOf(IllegalStateException.class);
    run();
    assertThat(value.block(LIMIT)).isEqualTo("a1");
    assertThat(value.block(LIMIT)).as("again").isEqualTo("a1");
    assertThat(none.blockOptional(LIMIT)).isEmpty();
  }

  @Test
  void nothingIsRegisteredBeforeSubscriptionAndEachSubscriptionRegistersAnew() {
    Mono<Mono<Long>> twice = hooks.number("a", a, a::take, Mono::just);
    assertThat(Flux.concat(twice, twice).collectList().block(LIMIT)).hasSize(2);
    run();
    assertThat(steps).containsExactly("a x 2");
  }

  @Test
  void aFunctionSeesTheContextOfTheSubscriptionThatRegisteredIt() {
    Mono<String> tenant =
        Objects.requireNonNull(
            hooks
                .number(
                    "a",
                    a,
                    a::take,
                    number ->
                        Mono.deferContextual(context -> Mono.just(context.<String>get("tenant"))))
                .contextWrite(context -> context.put("tenant", "acme"))
                .block(LIMIT));
    hooks.run().contextWrite(context -> context.put("tenant", "of the transaction")).block(LIMIT);
    assertThat(tenant.block(LIMIT)).isEqualTo("acme");
  }

  @Test
  void aFunctionThatReturnsNullOrThrowsFailsTheRun() {
    a.register(
        number -> {
          throw new IllegalArgumentException("on purpose");
        });
    assertThatThrownBy(this::run).hasMessage("on purpose");
    a.register(number -> missing());
    assertThatThrownBy(this::run)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("returned null");
  }

  @SuppressWarnings("NullAway") // on purpose
  private static Mono<Long> missing() {
    return null;
  }

  @Test
  void aSequenceThatGivesAnotherCountFailsTheRunBeforeAFunctionIsCalled() {
    for (List<Long> wrong : List.of(List.<Long>of(), List.of(1L, 2L))) {
      hooks.number("a", a, count -> Mono.just(wrong), number -> Mono.just(noted("called"))).block();
      assertThatThrownBy(this::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("1 numbers, and returned " + wrong.size());
    }
    hooks.number("a", a, count -> Mono.empty(), number -> Mono.just(noted("called"))).block();
    assertThatThrownBy(this::run).isInstanceOf(IllegalStateException.class);
    assertThat(steps).isEmpty();
  }
}
