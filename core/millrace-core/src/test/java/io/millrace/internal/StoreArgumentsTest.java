package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
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

  @Test
  void aNameHasFromOneToSoManyCharacters() {
    assertThat(StoreArguments.checkName("a", 3)).isEqualTo("a");
    assertThat(StoreArguments.checkName("a/\uD83D\uDE00", 3))
        .as("a pair of surrogates is one character")
        .isEqualTo("a/\uD83D\uDE00");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName("", 3))
        .withMessage("the name of a sequence has 1 to 3 characters, was '' with 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName("abcd", 3))
        .withMessage("the name of a sequence has 1 to 3 characters, was 'abcd' with 4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0", "\uD83D", "\uDE00a"})
  void aNameThatADatabaseWouldChangeIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName(name, 3))
        .withMessageContaining("without NUL and without an unpaired surrogate")
        .withMessageContaining(ShownText.quote(name));
  }
}
