package io.millrace.key;

import static io.millrace.key.ReversedString.BY_CODE_POINT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ReversedStringTest {

  @Property
  void itIsItsOwnInverse(@ForAll(supplier = Texts.class) String text) {
    assertThat(BY_CODE_POINT.decode(BY_CODE_POINT.apply(text))).isEqualTo(text);
    assertThat(BY_CODE_POINT.apply(BY_CODE_POINT.apply(text))).isEqualTo(text);
  }

  @Property
  void theCodePointsComeInOppositeOrder(@ForAll(supplier = Texts.class) String text) {
    List<Integer> given = text.codePoints().boxed().toList();
    List<Integer> reversed = BY_CODE_POINT.apply(text).codePoints().boxed().toList();
    assertThat(reversed).hasSameSizeAs(given);
    for (int i = 0; i < given.size(); i++) {
      assertThat(reversed.get(reversed.size() - 1 - i)).isEqualTo(given.get(i));
    }
  }

  @Test
  void aSurrogatePairStaysOne() {
    assertThat(BY_CODE_POINT.apply("a\ud83d\ude00b")).isEqualTo("b\ud83d\ude00a");
  }
}
