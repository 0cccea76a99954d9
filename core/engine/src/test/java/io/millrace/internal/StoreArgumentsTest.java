package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class StoreArgumentsTest {

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aCountBelowOneIsRefused(int count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkCount(count))
        .withMessage("count must be at least 1, was " + count);
    assertThatCode(() -> StoreArguments.checkCount(1)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aReservationOfNoValuesFailsBeforeItIsMade(long size) {
    StepVerifier.create(
            StoreArguments.withSize(
                size,
                () -> {
                  throw new AssertionError("made");
                }))
        .verifyErrorMessage("a reservation has at least 1 value, was " + size);
    assertThat(StoreArguments.withSize(1, () -> Mono.just("made")).block()).isEqualTo("made");
  }
}
