package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreArgumentsTest {

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aCountBelowOneIsRefused(int count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkCount(count))
        .withMessage("count must be at least 1, was " + count);
    assertThatCode(() -> StoreArguments.checkCount(1)).doesNotThrowAnyException();
  }

  @Test
  void aNameHasFromOneToSoManyCharacters() {
    assertThat(StoreArguments.checkName("a", 3)).isEqualTo("a");
    assertThat(StoreArguments.checkName("a/\uD83D\uDE00", 3))
        .as("a pair of surrogates is one character")
        .isEqualTo("a/\uD83D\uDE00");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName("", 3))
        .withMessage("the name of a sequence has 1 to 3 characters, was ''");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName("abcd", 3))
        .withMessage("the name of a sequence has 1 to 3 characters, was 'abcd'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName("x".repeat(73), 64))
        .withMessage(
            "the name of a sequence has 1 to 64 characters, was '"
                + "x".repeat(64)
                + "...' of 73 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0", "\uD83D", "\uDE00a"})
  void aNameThatADatabaseWouldChangeIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreArguments.checkName(name, 3))
        .withMessageContaining("without NUL and without an unpaired surrogate")
        .withMessageContaining(LogSafe.quote(name));
  }

  @Test
  void countsAreInTheOrderOfTheCodePointsOfTheirNames() {
    List<String> names = List.of("", "B", "Ba", "a", "ab", "\u00e4", "\uffee", "\ud83d\ude00");
    Map<String, Integer> counts = new HashMap<>();
    names.forEach(name -> counts.put(name, 1));
    assertThat(StoreArguments.checkCounts(counts).keySet()).containsExactlyElementsOf(names);
  }
}
