package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule for texts, and that every function of texts keeps to it. */
class KeyTextTest {

  @Property
  void theLengthIsThatOfTheUtf8(@ForAll(supplier = Texts.class) String text) {
    assertThat(KeyText.utf8Length("key", text))
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\ud800\udc00"})
  void theLengthChangesWithTheNumberOfBytes(String smallestOrLargest) {
    theLengthIsThatOfTheUtf8(smallestOrLargest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "ab\ud83dc", "ab\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00"})
  void halfOfASurrogatePairIsRefused(String text) {
    for (Function<String, ?> function : functions()) {
      assertThatThrownBy(() -> function.apply(text))
          .as("%s", function)
          .isExactlyInstanceOf(KeyFormatException.class)
          .hasMessageContaining("unpaired surrogate U+D");
    }
  }

  @Test
  void anEmptyTextIsAKeyAsOnTheServer() {
    assertThat(ReversedString.BY_CODE_POINT.apply("")).isEmpty();
    assertThat(HashPrefix.md5(4).prefix("")).isEqualTo("d41d");
    HashPrefix separated = HashPrefix.md5(4).separator("-");
    assertThat(separated.apply("")).isEqualTo("d41d-");
    assertThat(separated.decode("d41d-")).isEmpty();
    Salt salt = Salt.below(100);
    KeyCodec<String, String> salted = salt.suffix();
    assertThat(salt.suffixed("")).hasSize(100).contains(salted.apply(""));
    assertThat(salted.decode("07")).isEmpty();
  }

  @Test
  void aWholePairIsAccepted() {
    for (Function<String, ?> function : functions()) {
      assertThatCode(() -> function.apply("\ud83d\ude00")).doesNotThrowAnyException();
    }
  }

  private static Function<String, ?>[] functions() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Function<String, ?>[] functions =
        new Function[] {
          ReversedString.BY_CODE_POINT,
          HashPrefix.md5(4),
          (Function<String, String>) HashPrefix.md5(4)::prefix,
          Salt.below(100).suffix(),
          (Function<String, Object>) Salt.below(100)::suffixed
        };
    return functions;
  }
}
