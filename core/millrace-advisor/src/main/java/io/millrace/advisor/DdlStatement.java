package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * A statement of a file.
 *
 * @param file the file
 * @param tokens its words and signs with the space and the comments between them, from its first
 *     word to the last before its semicolon; if it cannot concern keys, only its first words
 * @param words its words and signs only
 * @param comments the comments before it, within it, and behind it on the line of its semicolon
 */
record DdlStatement(Path file, List<Token> tokens, List<Token> words, List<Token> comments) {

  /** The words that name a statement. */
  static final int WORDS = 3;

  /** The first words of statements that may concern keys. */
  static final Set<Integer> KEPT =
      Set.of(
          GoogleSqlLexer.CREATE, GoogleSqlLexer.ALTER, GoogleSqlLexer.DROP, GoogleSqlLexer.RENAME);

  /** The words that may be before the name of a table or an index. */
  private static final int WORDS_BEFORE_NAME = 4;

  /** Indexes without an order. */
  private static final Set<String> UNORDERED = Set.of("SEARCH", "VECTOR");

  Token first() {
    return tokens.get(0);
  }

  /** What names the statement in a note. */
  String firstWords() {
    return words.stream()
        .limit(WORDS)
        .map(word -> Shown.word(word.getText()))
        .collect(Collectors.joining(" "));
  }

  /** Whether it is about a table or an ordered index, also if it is not understood. */
  boolean concernsKeys() {
    List<Token> named = words.stream().limit(WORDS_BEFORE_NAME).toList();
    return KEPT.contains(first().getType())
        && named.stream()
            .map(Token::getType)
            .anyMatch(type -> type == GoogleSqlLexer.TABLE || type == GoogleSqlLexer.INDEX)
        && named.stream()
            .map(word -> word.getText().toUpperCase(Locale.ROOT))
            .noneMatch(UNORDERED::contains);
  }

  /** The source of a part of the statement, with one space where there is space or a comment. */
  String text(ParserRuleContext part) {
    return text(part.getStart().getTokenIndex(), part.getStop().getTokenIndex());
  }

  /** The source up to a word, without that. */
  String textBefore(Token word) {
    return text(0, word.getTokenIndex() - 1);
  }

  /** The source behind a word. */
  String textBehind(Token word) {
    return text(word.getTokenIndex() + 1, words.size() - 1);
  }

  /** The source of the statement. */
  String text() {
    return text(0, words.size() - 1);
  }

  private String text(int first, int last) {
    StringBuilder text = new StringBuilder();
    for (int i = first; i <= last; i++) {
      if (i > first && words.get(i).getStartIndex() > words.get(i - 1).getStopIndex() + 1) {
        text.append(' ');
      }
      text.append(words.get(i).getText());
    }
    return text.toString();
  }

  /** The place of a token: its line, as far as it belongs to this statement. */
  Place place(Token wanted) {
    String line =
        tokens.stream()
            .filter(token -> token.getLine() == wanted.getLine())
            .map(Token::getText)
            .collect(Collectors.joining());
    return new Place(file, wanted.getLine(), line.lines().findFirst().orElse("").strip());
  }
}
