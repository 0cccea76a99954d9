package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a message shows of a text from outside. */
class ShownTextTest {

  @Test
  void aLongTextIsCutInAMessage() {
    assertThat(ShownText.quote("short")).isEqualTo("'short'");
    assertThat(ShownText.quote("x".repeat(65)))
        .isEqualTo("'" + "x".repeat(64) + "...' of 65 characters");
    assertThat(ShownText.quote("x".repeat(64))).isEqualTo("'" + "x".repeat(64) + "'");
    assertThat(ShownText.quote("\0".repeat(1_000_000))).hasSizeLessThan(120).endsWith("characters");
  }

  @Test
  void aTextCannotChangeHowAMessageReads() {
    assertThat(ShownText.quote("a\n\0\u202e\u2028\ud83d\ue000ü\ud83d\ude00"))
        .isEqualTo("'a\\u000A\\u0000\\u202E\\u2028\\uD83D\\uE000ü\ud83d\ude00'");
    assertThat(ShownText.quote("\ud83d\ude00".repeat(65)))
        .as("a pair is not cut in two")
        .isEqualTo("'" + "\ud83d\ude00".repeat(32) + "...' of 65 characters");
  }

  @Test
  void aCharacterThatIsNotPlainHasFourDigitsOrEight() {
    assertThat(ShownText.quote("\uFFFF")).isEqualTo("'\\uFFFF'");
    assertThat(ShownText.quote(Character.toString(0x1FFFE))).isEqualTo("'\\U0001FFFE'");
  }

  @Test
  void aNameIsQuotedOnlyWhereItCouldBeMisread() {
    assertThat(ShownText.name("shop.orders_2")).isEqualTo("shop.orders_2");
    assertThat(ShownText.name("two words")).isEqualTo("'two words'");
    assertThat(ShownText.name("a\n")).isEqualTo("'a\\u000A'");
    assertThat(ShownText.name("x".repeat(64))).isEqualTo("x".repeat(64));
    assertThat(ShownText.name("x".repeat(65))).endsWith("...' of 65 characters");
  }

  @Test
  void aMessageIsShownOnOneLineAndOtherwiseAsItIs() {
    String plain = "the table \"Größe\" is 'missing': \ud83d\ude00";
    assertThat(ShownText.line(plain)).isSameAs(plain);
    assertThat(ShownText.line("no table; SQL:\r\n\tSELECT 1\u2028a"))
        .isEqualTo("no table; SQL: SELECT 1 a");
    assertThat(ShownText.line("a\u001b[2J\u202eb\u007f")).isEqualTo("a\\u001B[2J\\u202Eb\\u007F");
    assertThat(ShownText.line("x".repeat(100_000))).hasSize(100_000);
  }

  @Test
  void ordinaryNamesAndTemplatesAreNotQuoted() {
    for (String name : new String[] {"orders/2026-11", "orders#1", "orders/{tenant}", "a:b"}) {
      assertThat(ShownText.name(name)).isEqualTo(name);
    }
    assertThat(ShownText.name("a'b")).isEqualTo("'a'b'");
  }
}
