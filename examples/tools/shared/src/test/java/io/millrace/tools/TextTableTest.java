package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

  private static final List<String> HEAD = List.of("mode", "verdict", "values/s");
  private static final List<List<String>> ROWS =
      List.of(List.of("SYNC", "met", "30.6"), List.of("ASYNC_BATCH", "", "1622"));

  @Test
  void columnsOfTextAreAlignedOnTheLeftAndThoseOfNumbersOnTheRight() {
    assertThat(new TextTable(HEAD, 2, ROWS).text())
        .isEqualTo(
            """
            mode         verdict  values/s
            SYNC         met          30.6
            ASYNC_BATCH               1622\
            """);
  }

  @Test
  void noLineEndsWithBlanks() {
    assertThat(new TextTable(HEAD, 3, ROWS).text().lines())
        .hasSize(3)
        .noneMatch(line -> line.endsWith(" "));
  }

  @Test
  void aCellIsOneLineAndCannotActOnATerminal() {
    assertThat(new TextTable(List.of("name"), 1, List.of(List.of("a\nb\u001b[2J\u202e"))).text())
        .isEqualTo("name\na b\\u001B[2J\\u202E");
  }
}
