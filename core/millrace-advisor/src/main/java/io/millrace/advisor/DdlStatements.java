package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Takes a file apart into its statements, at the semicolons. */
final class DdlStatements {

  /** Where an object follows one of these words, a statement begins. */
  private static final Set<Integer> VERBS =
      Set.of(GoogleSqlLexer.CREATE, GoogleSqlLexer.ALTER, GoogleSqlLexer.DROP);

  private static final Set<Integer> OBJECTS =
      Set.of(
          GoogleSqlLexer.TABLE,
          GoogleSqlLexer.INDEX,
          GoogleSqlLexer.UNIQUE,
          GoogleSqlLexer.NULL_FILTERED,
          GoogleSqlLexer.SEQUENCE,
          GoogleSqlLexer.SCHEMA);

  /** The comments of goose, sql-migrate, dbmate, rambler, Play, node-pg-migrate and shmig. */
  private static final String DIRECTION =
      "\\+(?:goose|migrate)\\s+%1$s\\b.*|migrate:%1$s\\b.*|rambler\\s+%1$s|!%1$ss"
          + "|%1$s\\s+migration|=+\\s*%1$s\\s*=+";

  private static final Pattern UP = mark(DIRECTION.formatted("up"));

  /** MyBatis and tern have only this one. */
  private static final Pattern DOWN =
      mark(DIRECTION.formatted("down") + "|//\\s*@undo|create above / drop below\\s*-*");

  /** The comments of goose, sql-migrate and Liquibase around a statement without a semicolon. */
  private static final Pattern BORDER =
      mark("\\+(?:goose|migrate)\\s+statement(?:begin|end)|changeset\\s+\\S+:\\S.*");

  private final Path file;
  private final List<DdlStatement> statements = new ArrayList<>();
  private List<Token> tokens = new ArrayList<>();
  private List<Token> words = new ArrayList<>();
  private List<Token> comments = new ArrayList<>();

  /** The last two words of the statement. */
  private @Nullable Token last;

  private @Nullable Token beforeLast;

  /** The line of the last semicolon, and 0 once a statement begins. */
  private int endedOnLine;

  /** Whether these statements undo the others of the file. */
  private boolean undoing;

  private DdlStatements(Path file) {
    this.file = file;
  }

  private static Pattern mark(String text) {
    return Pattern.compile("(?:--|#)[\\s-]*+(?:" + text + ")\\s*", Pattern.CASE_INSENSITIVE);
  }

  /**
   * Takes a file apart, without what a migration does to go back.
   *
   * @throws SchemaFileException if a semicolon is missing, or a comment or a text never ends, or a
   *     comment to ignore a finding is at the end
   */
  static List<DdlStatement> in(DdlFile file, DdlDialect dialect) {
    Lexer lexer = dialect.lexer(file.text());
    DdlStatements splitter = new DdlStatements(file.path());
    Token token = lexer.nextToken();
    for (; token.getType() != Token.EOF; token = lexer.nextToken()) {
      splitter.take(token);
    }
    if (token.getStartIndex() <= token.getStopIndex()) {
      throw splitter.endless(token);
    }
    splitter.end();
    splitter.comments.forEach(comment -> splitter.refuseSuppression(comment));
    return splitter.statements;
  }

  private void take(Token token) {
    if (token.getType() == GoogleSqlLexer.ENDLESS) {
      throw endless(token);
    }
    if (token.getChannel() == GoogleSqlLexer.COMMENTS) {
      comment(token);
    } else if (!undoing) {
      part(token);
    }
  }

  private void part(Token token) {
    if (token.getType() == GoogleSqlLexer.SEMICOLON) {
      end();
      endedOnLine = token.getLine();
    } else if (token.getChannel() == Token.DEFAULT_CHANNEL) {
      endedOnLine = 0;
      word(token);
    } else if (isKept()) {
      tokens.add(token);
    }
  }

  private void word(Token word) {
    refuseIfSecond(word);
    beforeLast = last;
    last = word;
    if (words.isEmpty() || isKept()) {
      tokens.add(word);
      words.add(word);
    }
  }

  /**
   * Whether the tokens are needed. Of other statements, such as inserted rows, only the name is.
   */
  private boolean isKept() {
    return !words.isEmpty()
        && (words.size() < DdlStatement.WORDS
            || DdlStatement.KEPT.contains(words.get(0).getType()));
  }

  /**
   * Refuses a word that follows a verb: CREATE anywhere, the others on a new line. PostgreSQL's
   * dialect renames several tables by ALTER TABLE behind a comma.
   */
  private void refuseIfSecond(Token object) {
    if (last != null
        && beforeLast != null
        && VERBS.contains(last.getType())
        && OBJECTS.contains(object.getType())
        && (last.getType() == GoogleSqlLexer.CREATE
            || (last.getLine() > beforeLast.getLine()
                && !(last.getType() == GoogleSqlLexer.ALTER
                    && beforeLast.getType() == GoogleSqlLexer.COMMA)))) {
      throw new SchemaFileException(
          file,
          last.getLine(),
          (last.getText() + " " + object.getText())
              + " begins a statement, but no semicolon ends the one of line "
              + words.get(0).getLine());
    }
  }

  /** A comment on the line of a semicolon is about the statement before it. */
  private void comment(Token comment) {
    String text = comment.getText();
    boolean down = DOWN.matcher(text).matches();
    boolean up = UP.matcher(text).matches();
    if (down || up || BORDER.matcher(text).matches()) {
      end();
      undoing = down || (undoing && !up);
      return;
    }
    if (undoing) {
      return;
    }
    if (comment.getLine() == endedOnLine && !statements.isEmpty()) {
      statements.get(statements.size() - 1).comments().add(comment);
      return;
    }
    comments.add(comment);
    if (isKept()) {
      tokens.add(comment);
    }
  }

  /** What never ends would hide the statements behind it. */
  private SchemaFileException endless(Token token) {
    String text = token.getText();
    return new SchemaFileException(
        file,
        token.getLine(),
        "what begins with " + text.substring(0, Math.min(2, text.length())) + " never ends");
  }

  private void end() {
    if (words.isEmpty()) {
      return;
    }
    while (tokens.get(tokens.size() - 1).getChannel() != Token.DEFAULT_CHANNEL) {
      tokens.remove(tokens.size() - 1);
    }
    statements.add(new DdlStatement(file, tokens, words, comments));
    tokens = new ArrayList<>();
    words = new ArrayList<>();
    comments = new ArrayList<>();
    last = null;
    beforeLast = null;
  }

  private void refuseSuppression(Token comment) {
    if (Suppression.isIn(comment)) {
      throw new SchemaFileException(
          file, comment.getLine(), "the comment advise:ignore at the end belongs to no statement");
    }
  }
}
