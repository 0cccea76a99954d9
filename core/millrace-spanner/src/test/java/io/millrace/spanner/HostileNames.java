package io.millrace.spanner;

import java.util.List;
import java.util.stream.Stream;

/** Names that a program may receive. It must not create a wrong object of a database from them. */
final class HostileNames {

  /** No object of Spanner can have such a name. */
  static final List<String> REFUSED =
      List.of(
          "",
          " ",
          "\t",
          "\n",
          " a",
          "a ",
          "a\n",
          "a\nb",
          "a\r\nb",
          "a\0b",
          "a'b",
          "a''b",
          "a\"b",
          "a\"\"b",
          "a`b",
          "a``b",
          "a\\b",
          "a\\`b",
          "a\\'b",
          "a--b",
          "a -- b",
          "a/*b",
          "a/* */b",
          "a#b",
          "a;b",
          "a; DROP TABLE Kept",
          "a` (Id INT64) PRIMARY KEY (Id); DROP TABLE `Kept",
          "a\" (Id bigint, PRIMARY KEY (Id)); DROP TABLE \"Kept",
          "x' OR '1'='1",
          "a')",
          "a(b)",
          "a,b",
          "a.",
          ".a",
          "a..b",
          "a.b.c",
          "`a`",
          "\"a\"",
          "[a]",
          "a b",
          "a-b",
          "order-lines",
          "a$b",
          "a@b",
          "@p1",
          "$1",
          "?",
          "%s",
          "{}",
          "${a}",
          "9lives",
          "1",
          "_audit",
          "_",
          "Straße",
          "bücher",
          "аudit", // its first letter is Cyrillic
          "ａudit", // its first letter is fullwidth
          "aud\u0131t", // a Turkish letter
          "a\u0300", // a combining accent
          "a\u200Bb", // no width
          "a\u202Eb", // from right to left
          "a\u2028b",
          "\uFEFFa",
          "\uD83D\uDE00",
          "\uD83D",
          "a\uDE00",
          "A".repeat(129),
          "a".repeat(1_000_000),
          "\n".repeat(1_000_000),
          "'".repeat(1_000_000));

  /** Valid names that some programs handle wrongly. */
  static final List<String> ACCEPTED =
      List.of(
          "a",
          "Z9",
          "a_",
          "a__b",
          "CamelCase",
          "select",
          "Table",
          "ORDER",
          "null",
          "all",
          "hash",
          "true",
          "rows",
          "user",
          "A".repeat(63));

  private HostileNames() {}

  /** What is refused where a schema cannot stand before the name. */
  static Stream<String> refusedForColumns() {
    return Stream.concat(REFUSED.stream(), Stream.of("cat.orders"));
  }
}
