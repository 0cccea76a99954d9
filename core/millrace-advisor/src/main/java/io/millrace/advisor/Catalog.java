package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import io.millrace.advisor.grammar.PostgreSqlLexer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** The database whose schema is read. */
@SuppressWarnings("ImmutableEnumChecker") // a record of texts
public enum Catalog {
  /** Spanner, GoogleSQL. */
  SPANNER("`", true, CatalogSql.SPANNER),
  /** Spanner, PostgreSQL. */
  SPANNER_POSTGRESQL("\"", true, CatalogSql.SPANNER),
  /** PostgreSQL. */
  POSTGRESQL("\"", false, CatalogSql.POSTGRESQL),
  /** MySQL and MariaDB. */
  MYSQL("`", false, CatalogSql.MYSQL),
  /** H2. */
  H2("\"", false, CatalogSql.H2);

  private static final Pattern POLICY_COLUMN =
      Pattern.compile("((?:OLDER_THAN\\(| ON )\\s*)(\\w+)");

  private final String quote;
  private final boolean spanner;
  private final CatalogSql sql;

  Catalog(String quote, boolean spanner, CatalogSql sql) {
    this.quote = quote;
    this.spanner = spanner;
    this.sql = sql;
  }

  /** Whether the database is Spanner, whose own numbers are bit-reversed. */
  boolean isSpanner() {
    return spanner;
  }

  /** Whether a column of a primary key may be in descending order. */
  boolean hasDescendingKeys() {
    return this == SPANNER;
  }

  /** The type that a value is cast to for {@link SchemaQuery}. */
  String textType() {
    return switch (this) {
      case SPANNER -> "STRING";
      case MYSQL -> "CHAR";
      default -> "varchar";
    };
  }

  CatalogSql sql() {
    return sql;
  }

  /** Takes a text apart into words and signs. What quotes names is the database's own. */
  Lexer lexer(String text) {
    Lexer lexer =
        quote.equals("`")
            ? new GoogleSqlLexer(CharStreams.fromString(text))
            : new PostgreSqlLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    return lexer;
  }

  /** The words and signs of an expression, without space and comments. */
  List<Token> words(String expression) {
    // MySQL describes an expression with a backslash before the quotes of a text.
    String text = this == MYSQL ? expression.replace("\\'", "'") : expression;
    List<Token> words = new ArrayList<>(lexer(text).getAllTokens());
    words.removeIf(word -> word.getChannel() != Token.DEFAULT_CHANNEL);
    return words;
  }

  /** What words for the same column have in common. */
  String key(Token word) {
    String text = word.getText();
    if (word.getType() == GoogleSqlLexer.QUOTED) {
      return key(text.substring(1, text.length() - 1).replace(quote + quote, quote));
    }
    return this == H2 ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT);
  }

  /** What names of the same column have in common. */
  String key(String column) {
    return quote.equals("`") ? column.toLowerCase(Locale.ROOT) : column;
  }

  /** The name of a column for a statement. */
  String quoteColumn(String name) {
    return quote + name.replace(quote, quote + quote) + quote;
  }

  /** A deletion policy; a database gives its column without quotes. */
  String quotePolicy(String policy) {
    return POLICY_COLUMN
        .matcher(policy)
        .replaceFirst(
            column -> Matcher.quoteReplacement(column.group(1) + quoteColumn(column.group(2))));
  }

  /** The name of a table or an index; one with a schema is quoted in two parts. */
  String quote(String name) {
    return quote + name.replace(".", quote + "." + quote) + quote;
  }
}
