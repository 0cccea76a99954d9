package io.millrace.advisor;

import io.millrace.advisor.grammar.DdlParser.NameContext;
import io.millrace.advisor.grammar.DdlParser.NamesContext;
import io.millrace.advisor.grammar.DdlParser.PathContext;
import io.millrace.advisor.grammar.GoogleSqlLexer;
import io.millrace.advisor.grammar.PostgreSqlLexer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** The dialect of statements for Spanner. */
public enum DdlDialect {
  /** GoogleSQL, which keeps the case of a name, and ignores it when it looks for the name. */
  GOOGLESQL("`"),
  /** PostgreSQL, which folds names without quotes to lower case. */
  POSTGRESQL("\"");

  private static final String DEFAULT_SCHEMA = "public.";

  private final String quote;

  DdlDialect(String quote) {
    this.quote = quote;
  }

  /**
   * Returns the dialect with a name as it is written in options and properties.
   *
   * @param name {@code googlesql} or {@code postgresql}
   * @throws IllegalArgumentException if it is another name
   */
  public static DdlDialect of(String name) {
    return switch (name) {
      case "googlesql" -> GOOGLESQL;
      case "postgresql" -> POSTGRESQL;
      default ->
          throw new IllegalArgumentException("a dialect is googlesql or postgresql, was " + name);
    };
  }

  boolean isPostgreSql() {
    return this == POSTGRESQL;
  }

  /** Takes a text apart into words and signs. */
  Lexer lexer(String text) {
    Lexer lexer =
        isPostgreSql()
            ? new PostgreSqlLexer(CharStreams.fromString(text))
            : new GoogleSqlLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    return lexer;
  }

  /** The words and signs of an expression, without space and comments. */
  List<Token> words(String expression) {
    List<Token> words = new ArrayList<>(lexer(expression).getAllTokens());
    words.removeIf(word -> word.getChannel() != Token.DEFAULT_CHANNEL);
    return words;
  }

  String nameOf(NameContext name) {
    return nameOf(name.getStart());
  }

  String nameOf(Token word) {
    String text = word.getText();
    if (word.getType() != GoogleSqlLexer.QUOTED) {
      return isPostgreSql() ? text.toLowerCase(Locale.ROOT) : text;
    }
    String quoted = text.substring(0, 1);
    return text.substring(1, text.length() - 1).replace(quoted + quoted, quoted);
  }

  List<String> namesOf(NamesContext names) {
    return names.name().stream().map(this::nameOf).toList();
  }

  /** The name of a table or an index, with its schema before it unless that is the default one. */
  String nameOf(PathContext path) {
    String name = path.name().stream().map(this::nameOf).collect(Collectors.joining("."));
    return isPostgreSql() && name.startsWith(DEFAULT_SCHEMA)
        ? name.substring(DEFAULT_SCHEMA.length())
        : name;
  }

  /** What names of the same thing have in common. */
  String key(String name) {
    return isPostgreSql() ? name : name.toLowerCase(Locale.ROOT);
  }

  boolean same(String one, String other) {
    return isPostgreSql() ? one.equals(other) : one.equalsIgnoreCase(other);
  }

  /** The name of a column for a statement. */
  String quoteColumn(String name) {
    return quote + name.replace(quote, quote + quote) + quote;
  }

  /** The name of a table or an index; one with a schema is quoted in two parts. */
  String quote(String name) {
    return quote + name.replace(".", quote + "." + quote) + quote;
  }
}
