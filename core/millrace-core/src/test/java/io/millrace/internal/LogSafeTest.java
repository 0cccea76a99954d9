package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a message shows of a text from outside. */
class LogSafeTest {

  @Test
  void aLongTextIsCutInAMessage() {
    assertThat(LogSafe.quote("short")).isEqualTo("'short'");
    assertThat(LogSafe.quote("x".repeat(65)))
        .isEqualTo("'" + "x".repeat(64) + "...' of 65 characters");
    assertThat(LogSafe.quote("x".repeat(64))).isEqualTo("'" + "x".repeat(64) + "'");
    assertThat(LogSafe.quote("\0".repeat(1_000_000))).hasSizeLessThan(120).endsWith("characters");
  }

  @Test
  void aTextCannotChangeHowAMessageReads() {
    assertThat(LogSafe.quote("a\n\0\u202e\u2028\ud83d\ue000ü\ud83d\ude00"))
        .isEqualTo("'a\\u000A\\u0000\\u202E\\u2028\\uD83D\\uE000ü\ud83d\ude00'");
    assertThat(LogSafe.quote("\ud83d\ude00".repeat(65)))
        .as("a pair is not cut in two")
        .isEqualTo("'" + "\ud83d\ude00".repeat(32) + "...' of 65 characters");
  }

  @Test
  void aCharacterThatIsNotPlainHasFourDigitsOrEight() {
    assertThat(LogSafe.quote("\uFFFF")).isEqualTo("'\\uFFFF'");
    assertThat(LogSafe.quote(Character.toString(0x1FFFE))).isEqualTo("'\\U0001FFFE'");
  }

  @Test
  void aNameIsQuotedOnlyWhereItCouldBeMisread() {
    assertThat(LogSafe.name("shop.orders_2")).isEqualTo("shop.orders_2");
    assertThat(LogSafe.name("two words")).isEqualTo("'two words'");
    assertThat(LogSafe.name("a\n")).isEqualTo("'a\\u000A'");
    assertThat(LogSafe.name("x".repeat(64))).isEqualTo("x".repeat(64));
    assertThat(LogSafe.name("x".repeat(65))).endsWith("...' of 65 characters");
  }

  @Test
  void aMessageIsShownOnOneLineAndOtherwiseAsItIs() {
    String plain = "the table \"Größe\" is 'missing': \ud83d\ude00";
    assertThat(LogSafe.line(plain)).isSameAs(plain);
    assertThat(LogSafe.line("no table; SQL:\r\n\tSELECT 1\u2028a"))
        .isEqualTo("no table; SQL: SELECT 1 a");
    assertThat(LogSafe.line("a\u001b[2J\u202eb\u007f")).isEqualTo("a\\u001B[2J\\u202Eb\\u007F");
    assertThat(LogSafe.line("x".repeat(100_000))).hasSize(100_000);
  }

  @Test
  void ordinaryNamesAndTemplatesAreNotQuoted() {
    for (String name : new String[] {"orders/2026-11", "orders#1", "orders/{tenant}", "a:b"}) {
      assertThat(LogSafe.name(name)).isEqualTo(name);
    }
    assertThat(LogSafe.name("a'b")).isEqualTo("'a'b'");
  }
}
