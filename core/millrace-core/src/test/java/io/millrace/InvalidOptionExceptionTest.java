package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused option can be told without reading the message. */
class InvalidOptionExceptionTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static Arguments refused(
      Consumer<SequenceGeneratorBuilder> options,
      String option,
      Object value,
      @Nullable String other) {
    return Arguments.of(options, option, value, other);
  }

  static Arguments[] refused() {
    return new Arguments[] {
      refused(b -> b.blockSize(0), "blockSize", 0L, null),
      refused(b -> b.maxBlockSize(0), "maxBlockSize", 0L, null),
      refused(b -> b.lowWatermark(-1), "lowWatermark", -1L, null),
      refused(b -> b.adaptive(2, 9, SECOND), "adaptive minBlockSize", 2L, null),
      refused(b -> b.adaptive(9, 8, SECOND), "adaptive maxBlockSize", 8L, null),
      refused(b -> b.adaptive(9, 9, Duration.ZERO), "adaptive target", Duration.ZERO, null),
      refused(b -> b.maxWaiters(-1), "maxWaiters", -1, null),
      refused(b -> b.acquireTimeout(SECOND.negated()), "acquireTimeout", SECOND.negated(), null),
      refused(
          b -> b.reservationTimeout(SECOND.negated()),
          "reservationTimeout",
          SECOND.negated(),
          null),
      refused(b -> b.backoff(Duration.ZERO, SECOND, 0, 1), "backoff min", Duration.ZERO, null),
      refused(
          b -> b.backoff(SECOND, Duration.ofMillis(9), 0, 1),
          "backoff max",
          Duration.ofMillis(9),
          "backoff min"),
      refused(b -> b.backoff(SECOND, SECOND, 2, 1), "backoff jitter", 2.0, null),
      refused(b -> b.backoff(SECOND, SECOND, 0, 0), "backoff attempts", 0, null),
      refused(b -> b.createMissing(Long.MAX_VALUE), "createMissing", Long.MAX_VALUE, null),
      refused(b -> b.maxValue(1).createMissing(2), "createMissing", 2L, "maxValue"),
      refused(b -> b.blockSize(5).lowWatermark(5), "lowWatermark", 5L, "blockSize"),
      refused(b -> b.maxBlockSize(9), "maxBlockSize", 9L, "blockSize"),
      refused(b -> b.blockSize(5).maxWaiters(0), "maxWaiters", 0, "lowWatermark"),
      refused(b -> b.adaptive(3, 9, SECOND).maxBlockSize(7), "maxBlockSize", 7L, "adaptive"),
    };
  }

  @ParameterizedTest
  @MethodSource("refused")
  void itNamesTheOptionTheValueAndTheOptionThatIsContradicted(
      Consumer<SequenceGeneratorBuilder> options,
      String option,
      Object value,
      @Nullable String other) {
    InvalidOptionException refused =
        refusal(
            () -> {
              SequenceGeneratorBuilder builder =
                  SequenceGenerator.builder(InMemorySequenceStore.create(), "s");
              options.accept(builder);
              builder.build();
            });
    assertThat(refused.option()).isEqualTo(option);
    assertThat(refused.value()).isEqualTo(value);
    assertThat(refused.other()).isEqualTo(other);
    InvalidOptionException named =
        refusal(
            () ->
                SequenceGenerators.builder(InMemorySequenceStore.create())
                    .sequence("s", options)
                    .build());
    assertThat(named.option()).isEqualTo(option);
    assertThat(named.value()).isEqualTo(value);
    assertThat(named.other()).isEqualTo(other);
    assertThat(named).hasMessage("the options of 's' are invalid: " + refused.getMessage());
  }

  static Arguments[] refusedByOthers() {
    return new Arguments[] {
      others(() -> generators().maxGenerators(0), "maxGenerators", 0),
      others(() -> generators().idleAfter(SECOND.negated()), "idleAfter", SECOND.negated()),
      others(() -> generators().maxConcurrentReservations(0), "maxConcurrentReservations", 0),
    };
  }

  private static Arguments others(Runnable options, String option, Object value) {
    return Arguments.of(options, option, value);
  }

  private static SequenceGenerators.Builder generators() {
    return SequenceGenerators.builder(InMemorySequenceStore.create());
  }

  @ParameterizedTest
  @MethodSource("refusedByOthers")
  void itNamesTheOptionAndTheValue(Runnable options, String option, Object value) {
    InvalidOptionException refused = refusal(options);
    assertThat(refused.option()).isEqualTo(option);
    assertThat(refused.value()).isEqualTo(value);
    assertThat(refused.other()).isNull();
  }

  private static InvalidOptionException refusal(Runnable options) {
    return Objects.requireNonNull(catchThrowableOfType(InvalidOptionException.class, options::run));
  }
}
