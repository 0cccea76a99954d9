package io.millrace.r2dbc;

import io.millrace.InvalidOptionException;
import io.millrace.internal.ShownText;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Builds an {@link R2dbcDialect}. Each setter validates its argument immediately. */
public final class R2dbcDialectBuilder {

  /** Every database accepts as many; Spanner accepts no more. */
  private static final int SPANNER_PARAMETERS = 950;

  final String name;
  NameRule names = NameRule.STANDARD;
  int maxParameters = SPANNER_PARAMETERS;
  BindMarkers markers = BindMarkers.anonymous("?");
  String createTable =
      "CREATE TABLE IF NOT EXISTS {table} ({name} VARCHAR({length}) NOT NULL, {value} BIGINT NOT"
          + " NULL, PRIMARY KEY ({name}))";
  @Nullable String returning;
  boolean remembersUpdate;
  boolean blocking;
  boolean spanner;
  @Nullable MoveAndInsert moveAndInsert;
  boolean keepsStatements = true;
  ArrayTypes arrayTypes = ArrayTypes.NONE;
  @Nullable NativeSequenceSql nativeSequences;
  final Map<String, FailureKind> states = new HashMap<>();
  final Map<Integer, FailureKind> codes = new HashMap<>();
  IntPredicate serverCodes = code -> false;

  R2dbcDialectBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * Sets the character that quotes names. Inside a name it is doubled. Defaults to {@code "}.
   *
   * @throws IllegalArgumentException if {@code mark} is a letter, digit, underscore or whitespace
   */
  public R2dbcDialectBuilder quote(char mark) {
    if (Character.isLetterOrDigit(mark) || mark == '_' || Character.isWhitespace(mark)) {
      throw new IllegalArgumentException(
          ShownText.quote(String.valueOf(mark)) + " cannot quote a name");
    }
    this.names = names.quotedBy(mark);
    return this;
  }

  /**
   * Sets the maximum length of a name. Defaults to 128. Longer names are rejected, because a
   * database may silently truncate them.
   *
   * @param characters at least 1
   * @throws IllegalArgumentException if {@code characters} is below 1
   */
  public R2dbcDialectBuilder maxNameLength(int characters) {
    this.names = names.atMost(atLeastOne("maxNameLength", characters));
    return this;
  }

  /**
   * Sets the maximum number of parameters in a statement. Defaults to 950, which every database
   * accepts.
   *
   * @param parameters at least 1
   * @throws IllegalArgumentException if {@code parameters} is below 1
   */
  public R2dbcDialectBuilder maxParameters(int parameters) {
    this.maxParameters = atLeastOne("maxParameters", parameters);
    return this;
  }

  R2dbcDialectBuilder names(NameRule rule) {
    this.names = rule;
    return this;
  }

  private static int atLeastOne(String what, int value) {
    if (value < 1) {
      throw new InvalidOptionException(what, value, "must be at least 1");
    }
    return value;
  }

  /**
   * Writes every parameter as the same marker, bound by index. This is the default, with {@code ?}.
   *
   * @param marker the marker, such as {@code ?}
   * @throws IllegalArgumentException if {@code marker} is empty
   */
  public R2dbcDialectBuilder anonymousMarkers(String marker) {
    this.markers = BindMarkers.anonymous(marker);
    return this;
  }

  /**
   * Writes parameters as a prefix and a number, {@code $1}, {@code $2} …, bound by index.
   *
   * @param prefix the text before the number, such as {@code $}
   * @throws IllegalArgumentException if {@code prefix} is empty
   */
  public R2dbcDialectBuilder numberedMarkers(String prefix) {
    this.markers = BindMarkers.numbered(prefix);
    return this;
  }

  /**
   * Writes parameters as a prefix and a number, {@code @p1}, {@code @p2} …, bound by a name with
   * the same number.
   *
   * @param prefix the text before the number in the SQL, such as {@code @p}
   * @param name the text before the number in the name, such as {@code p}
   * @throws IllegalArgumentException if {@code prefix} is empty
   */
  public R2dbcDialectBuilder namedMarkers(String prefix, String name) {
    this.markers = BindMarkers.named(prefix, name);
    return this;
  }

  /**
   * Sets the statement that creates the table of counters if it does not exist. Defaults to
   * standard SQL with {@code IF NOT EXISTS}. The key column must be case-sensitive.
   *
   * @param template DDL with the placeholders {@code {table}}, {@code {name}}, {@code {value}} and
   *     {@code {length}}
   * @throws IllegalArgumentException if one of the first three placeholders is missing
   */
  public R2dbcDialectBuilder createTable(String template) {
    this.createTable = with(template, "{table}", "{name}", "{value}");
    return this;
  }

  /**
   * Sets how an {@code UPDATE} returns the value it wrote. By default it does not: the store then
   * updates and reads in one transaction. In autocommit mode, the resulting statement must run as a
   * single transaction.
   *
   * @param template SQL with the placeholders {@code {update}} and {@code {column}}, such as {@code
   *     {update} RETURNING {column}}
   * @throws IllegalArgumentException if one of the placeholders is missing
   */
  public R2dbcDialectBuilder returning(String template) {
    this.returning = with(template, "{update}", "{column}");
    return this;
  }

  R2dbcDialectBuilder remembersUpdate() {
    this.remembersUpdate = true;
    return this;
  }

  /**
   * Classifies failures with these SQLSTATEs, in addition to the standard classification, which
   * they override.
   *
   * @param kind the kind of these failures
   * @param sqlStates SQLSTATEs of 5 characters, or their first 2 to 4 characters
   * @throws IllegalArgumentException if one is shorter than 2 characters or longer than 5
   */
  public R2dbcDialectBuilder sqlState(FailureKind kind, String... sqlStates) {
    Objects.requireNonNull(kind, "kind");
    for (String state : sqlStates) {
      if (state.length() < 2 || state.length() > 5) {
        throw new IllegalArgumentException(
            "a SQLSTATE has 2 to 5 characters here, was " + ShownText.quote(state));
      }
      states.put(state, kind);
    }
    return this;
  }

  /**
   * Classifies failures with these vendor codes. A code takes precedence over a SQLSTATE.
   *
   * @param kind the kind of these failures
   */
  public R2dbcDialectBuilder errorCode(FailureKind kind, int... codes) {
    Objects.requireNonNull(kind, "kind");
    for (int code : codes) {
      this.codes.put(code, kind);
    }
    return this;
  }

  /** Declares that the driver blocks the calling thread. By default it does not. */
  public R2dbcDialectBuilder blocking() {
    this.blocking = true;
    return this;
  }

  /** Which vendor codes come from the server; the class of such an exception is then ignored. */
  R2dbcDialectBuilder serverCodes(IntPredicate codes) {
    this.serverCodes = codes;
    return this;
  }

  R2dbcDialectBuilder spanner() {
    this.spanner = true;
    return this;
  }

  /** How one statement both updates a counter and writes rows. */
  R2dbcDialectBuilder moveAndInsert(MoveAndInsert form) {
    this.moveAndInsert = form;
    return this;
  }

  /** The driver sends a statement as text, or limits how many prepared ones it keeps. */
  R2dbcDialectBuilder keepsFewStatements() {
    this.keepsStatements = false;
    return this;
  }

  /** The values that rows may be sent with as arrays, to be read by {@code unnest}. */
  R2dbcDialectBuilder arrays(ArrayTypes types) {
    this.arrayTypes = types;
    return this;
  }

  /** The statements on the database's native sequences. */
  R2dbcDialectBuilder nativeSequences(NativeSequenceSql sql) {
    this.nativeSequences = sql;
    return this;
  }

  /** Builds the dialect. */
  public R2dbcDialect build() {
    return new R2dbcDialect(this);
  }

  private static String with(String template, String... places) {
    for (String place : places) {
      if (!template.contains(place)) {
        throw new IllegalArgumentException(
            "the template has no placeholder " + place + ", was: " + ShownText.line(template));
      }
    }
    return template;
  }
}
