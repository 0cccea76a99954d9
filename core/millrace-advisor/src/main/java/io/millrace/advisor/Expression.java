package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.antlr.v4.runtime.Token;

/**
 * The expression of a default or of a generated column.
 *
 * @param text its words in lower case, without what is between quotes, and with space only between
 *     two words
 * @param values the text without the conditions, which choose among values and are none
 * @param names the words of the values that may be names of columns, in order, as {@link
 *     DdlDialect#key} has them
 */
record Expression(String text, String values, List<String> names) {

  /** A CASE, or parentheses, of which those of an IF hold a condition up to the first comma. */
  private record Within(boolean isCase, boolean outerIsCondition, boolean isCondition) {

    boolean condition() {
      return outerIsCondition || isCondition;
    }

    Within as(boolean condition) {
      return new Within(isCase, outerIsCondition, condition);
    }
  }

  private static final Within OUTSIDE = new Within(false, false, false);

  static Expression of(String source, DdlDialect dialect) {
    List<Token> words = dialect.words(source);
    List<Token> values = withoutConditions(words);
    List<String> names =
        IntStream.range(0, values.size())
            .filter(i -> isName(values.get(i)) && !lower(values, i + 1).equals("("))
            .mapToObj(i -> dialect.key(dialect.nameOf(values.get(i))))
            .toList();
    return new Expression(text(words), text(values), names);
  }

  boolean hasConditions() {
    return !values.equals(text);
  }

  private static String lower(List<Token> words, int i) {
    return i < 0 || i >= words.size() ? "" : words.get(i).getText().toLowerCase(Locale.ROOT);
  }

  private static boolean isName(Token word) {
    return word.getType() == GoogleSqlLexer.QUOTED
        || (word.getType() != GoogleSqlLexer.TEXT && isOfAWord(word.getText().charAt(0)));
  }

  private static boolean isOfAWord(char each) {
    return Character.isLetterOrDigit(each) || each == '_';
  }

  private static String text(List<Token> words) {
    StringBuilder text = new StringBuilder();
    for (Token word : words) {
      String next =
          switch (word.getType()) {
            case GoogleSqlLexer.TEXT -> "''";
            case GoogleSqlLexer.QUOTED -> "\"\"";
            default -> word.getText().toLowerCase(Locale.ROOT);
          };
      boolean behindAWord = !text.isEmpty() && isOfAWord(text.charAt(text.length() - 1));
      text.append(behindAWord && isOfAWord(next.charAt(0)) ? " " : "").append(next);
    }
    return text.toString();
  }

  private static List<Token> withoutConditions(List<Token> words) {
    List<Token> values = new ArrayList<>();
    Deque<Within> within = new ArrayDeque<>(List.of(OUTSIDE));
    for (int i = 0; i < words.size(); i++) {
      boolean wasCondition = within.element().condition();
      String word = lower(words, i);
      pass(word, lower(words, i - 1), within);
      if (wasCondition && within.element().condition()) {
        continue;
      }
      if (word.equals("is")) {
        removeOperand(values);
      }
      values.add(words.get(i));
    }
    return values;
  }

  private static void pass(String word, String before, Deque<Within> within) {
    Within inner = within.element();
    switch (word) {
      case "case" -> within.push(new Within(true, inner.condition(), true));
      case "(" -> within.push(new Within(false, inner.condition(), before.equals("if")));
      case "when" -> change(within, inner.isCase(), true);
      case "then", "else" -> change(within, inner.isCase(), false);
      case "," -> change(within, !inner.isCase(), false);
      case "end" -> leave(within, inner.isCase());
      case ")" -> {
        while (within.element().isCase()) {
          within.pop();
        }
        leave(within, true);
      }
      default -> {}
    }
  }

  private static void change(Deque<Within> within, boolean applies, boolean condition) {
    if (applies) {
      within.push(within.pop().as(condition));
    }
  }

  private static void leave(Deque<Within> within, boolean applies) {
    if (applies && within.size() > 1) {
      within.pop();
    }
  }

  /** Removes what IS looks at: a name, or parentheses with the name of their function. */
  private static void removeOperand(List<Token> values) {
    int start = values.size();
    int depth = 0;
    while (start > 0 && (depth > 0 || start == values.size() || belongs(values, start))) {
      start--;
      String word = lower(values, start);
      depth += word.equals(")") ? 1 : word.equals("(") ? -1 : 0;
    }
    values.subList(start, values.size()).clear();
  }

  /** Whether a word belongs to the operand that begins behind it. */
  private static boolean belongs(List<Token> values, int start) {
    String next = lower(values, start);
    return lower(values, start - 1).equals(".")
        || next.equals(".")
        || (next.equals("(") && isName(values.get(start - 1)));
  }
}
