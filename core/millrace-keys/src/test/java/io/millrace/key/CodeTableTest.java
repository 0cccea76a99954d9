package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CodeTableTest {

  private final CodeTable sites =
      CodeTable.builder().code("taobao", "tb").code("tmall", "tm").build();

  @Test
  void aNameHasItsCodeAndACodeItsName() {
    assertThat(sites.apply("taobao")).isEqualTo("tb");
    assertThat(sites.decode("tm")).isEqualTo("tmall");
    assertThat(sites.codes()).containsExactly(Map.entry("taobao", "tb"), Map.entry("tmall", "tm"));
    assertThat(sites).hasToString("CodeTable{taobao=tb, tmall=tm}");
  }

  @Property
  void everyNameOfATableIsDecoded(@ForAll @Size(min = 1, max = 20) Set<Integer> numbers) {
    Map<String, String> codes = new HashMap<>();
    numbers.forEach(name -> codes.put("name" + name, "c" + codes.size()));
    CodeTable table = CodeTable.of(codes);
    assertThat(codes).isNotEmpty();
    codes.forEach(
        (name, code) -> {
          assertThat(table.apply(name)).isEqualTo(code);
          assertThat(table.decode(code)).isEqualTo(name);
        });
  }

  @Test
  void whatTheTableDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> sites.apply("tb"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("name 'tb' is not among the 2 of the table");
    assertThatThrownBy(() -> sites.decode("taobao"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("code 'taobao' is not among the 2 of the table");
  }

  @Test
  void aNameHasOneCodeAndACodeOneName() {
    assertThatThrownBy(() -> CodeTable.builder().code("taobao", "tb").code("taobao", "tt"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("name 'taobao' must have one code, has 'tb' already");
    assertThatThrownBy(() -> CodeTable.builder().code("taobao", "tb").code("tubi", "tb"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("code 'tb' must have one name, has 'taobao' and 'tubi'");
    assertThatThrownBy(() -> CodeTable.of(Map.of("taobao", "t", "tmall", "t")))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("code 't' must have one name");
  }

  @Test
  void emptyTablesNamesAndCodesAreRefused() {
    assertThatThrownBy(() -> CodeTable.of(Map.of()))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("a table must have at least one name");
    assertThatThrownBy(() -> CodeTable.builder().code("", "tb"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must not be empty");
    assertThatThrownBy(() -> CodeTable.builder().code("taobao", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("code must not be empty");
    assertThatThrownBy(() -> CodeTable.builder().code("taobao", "\ud83d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("U+D83D");
  }

  @Test
  void aTableDoesNotChangeWithItsBuilder() {
    CodeTable.Builder builder = CodeTable.builder().code("taobao", "tb");
    CodeTable table = builder.build();
    builder.code("tmall", "tm");
    assertThatThrownBy(() -> table.apply("tmall")).isInstanceOf(KeyFormatException.class);
    assertThatThrownBy(() -> table.codes().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
