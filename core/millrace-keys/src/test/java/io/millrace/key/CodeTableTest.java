package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CodeTableTest {

  private final CodeTable sites =
      CodeTable.of(new TreeMap<>(Map.of("taobao", "tb", "tmall", "tm")));

  @Test
  void aNameHasItsCodeAndACodeItsName() {
    assertThat(sites.apply("taobao")).isEqualTo("tb");
    assertThat(sites.decode("tm")).isEqualTo("tmall");
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
  void namesAndCodesThatAreNotInTheTableAreRefused() {
    assertThatThrownBy(() -> sites.apply("tb"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("name 'tb' is not among the 2 of the table");
    assertThatThrownBy(() -> sites.decode("taobao"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("code 'taobao' is not among the 2 of the table");
  }

  @Test
  void aCodeHasOneName() {
    assertThatThrownBy(() -> CodeTable.of(Map.of("taobao", "t", "tmall", "t")))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("code 't' must have one name");
  }

  @Test
  void emptyTablesNamesAndCodesAreRefused() {
    assertThatThrownBy(() -> CodeTable.of(Map.of()))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("a table must have at least one name");
    assertThatThrownBy(() -> CodeTable.of(Map.of("", "tb")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name must not be empty");
    assertThatThrownBy(() -> CodeTable.of(Map.of("taobao", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("code must not be empty");
    assertThatThrownBy(() -> CodeTable.of(Map.of("taobao", "\ud83d")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("U+D83D");
  }

  @Test
  void aTableDoesNotChangeWithItsMap() {
    Map<String, String> codes = new HashMap<>(Map.of("taobao", "tb"));
    CodeTable table = CodeTable.of(codes);
    codes.put("tmall", "tm");
    assertThatThrownBy(() -> table.apply("tmall")).isInstanceOf(KeyFormatException.class);
  }
}
