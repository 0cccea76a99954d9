package io.millrace.advisor;

import io.millrace.advisor.grammar.GoogleSqlLexer;
import io.millrace.advisor.grammar.PostgreSqlLexer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** Takes a file apart into its statements, at the semicolons. */
final class DdlStatements {

  /** Where two of these words follow each other on a new line, a statement begins. */
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

  private final Path file;
  private final List<DdlStatement> statements = new ArrayList<>();
  private List<Token> tokens = new ArrayList<>();
  private List<Token> comments = new ArrayList<>();

  /** The line of the last semicolon, and 0 once a statement begins. */
  private int endedOnLine;

  private DdlStatements(Path file) {
    this.file = file;
  }

  /**
   * Takes a file apart.
   *
   * @throws SchemaFileException if a semicolon is missing, or a comment to ignore a finding is at
   *     the end
   */
  static List<DdlStatement> in(DdlFile file, Catalog catalog) {
    Lexer lexer =
        catalog == Catalog.SPANNER_POSTGRESQL
            ? new PostgreSqlLexer(CharStreams.fromString(file.text()))
            : new GoogleSqlLexer(CharStreams.fromString(file.text()));
    lexer.removeErrorListeners();
    DdlStatements splitter = new DdlStatements(file.path());
    for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
      splitter.take(token);
    }
    splitter.end();
    splitter.comments.forEach(comment -> splitter.refuseSuppression(comment));
    return splitter.statements;
  }

  private void take(Token token) {
    if (token.getChannel() == GoogleSqlLexer.COMMENTS) {
      comment(token);
    } else if (token.getType() == GoogleSqlLexer.SEMICOLON) {
      end();
      endedOnLine = token.getLine();
    } else if (token.getChannel() == Token.DEFAULT_CHANNEL) {
      endedOnLine = 0;
      tokens.add(token);
    } else if (!tokens.isEmpty()) {
      tokens.add(token);
    }
  }

  /** A comment on the line of a semicolon is about the statement before it. */
  private void comment(Token comment) {
    if (comment.getLine() == endedOnLine && !statements.isEmpty()) {
      statements.get(statements.size() - 1).comments().add(comment);
      return;
    }
    comments.add(comment);
    if (!tokens.isEmpty()) {
      tokens.add(comment);
    }
  }

  private void end() {
    if (tokens.isEmpty()) {
      return;
    }
    while (tokens.get(tokens.size() - 1).getChannel() != Token.DEFAULT_CHANNEL) {
      tokens.remove(tokens.size() - 1);
    }
    DdlStatement statement = new DdlStatement(file, tokens, comments);
    refuseSecond(statement.words());
    statements.add(statement);
    tokens = new ArrayList<>();
    comments = new ArrayList<>();
  }

  private void refuseSecond(List<Token> words) {
    for (int i = 1; i + 1 < words.size(); i++) {
      Token verb = words.get(i);
      Token object = words.get(i + 1);
      if (VERBS.contains(verb.getType())
          && OBJECTS.contains(object.getType())
          && verb.getLine() > words.get(i - 1).getLine()) {
        throw new SchemaFileException(
            file,
            verb.getLine(),
            verb.getText()
                + " "
                + object.getText()
                + " begins a statement, but no semicolon ends the one of line "
                + words.get(0).getLine());
      }
    }
  }

  private void refuseSuppression(Token comment) {
    if (Suppression.isIn(comment)) {
      throw new SchemaFileException(
          file, comment.getLine(), "the comment advise:ignore at the end belongs to no statement");
    }
  }
}
