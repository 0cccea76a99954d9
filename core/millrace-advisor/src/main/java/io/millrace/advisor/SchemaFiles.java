package io.millrace.advisor;

import io.millrace.advisor.grammar.DdlParser.StatementContext;
import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;

/**
 * Reads a schema from files with statements, of which the later ones may alter what the earlier
 * ones create. A statement or a clause that is not understood is left out with a note.
 */
final class SchemaFiles {

  /** Parentheses in parentheses. The parser calls itself for each. */
  private static final int MAX_DEPTH = 200;

  private final DdlDialect dialect;
  private final SchemaDraft draft;
  private final Notes notes = new Notes();

  private SchemaFiles(DdlDialect dialect) {
    this.dialect = dialect;
    this.draft = new SchemaDraft(dialect);
  }

  /**
   * Reads files, and the files in folders.
   *
   * @throws SchemaFileException if a file cannot be read, or if there is no table in them
   */
  static Schema read(DdlDialect dialect, List<Path> files) {
    List<DdlFile> read = files.stream().flatMap(DdlFolder::filesOf).map(DdlFile::read).toList();
    Schema schema = of(dialect, read);
    if (schema.tables().isEmpty()) {
      throw new SchemaFileException(files.get(0), noTableIn(files, schema.notes()));
    }
    return schema;
  }

  private static String noTableIn(List<Path> files, List<String> notes) {
    return "there is no table in "
        + files.stream().map(Path::toString).collect(Collectors.joining(", "))
        + notes.stream().map(note -> "; " + note).limit(1).collect(Collectors.joining());
  }

  /** Reads the texts of files. */
  static Schema of(DdlDialect dialect, List<DdlFile> files) {
    SchemaFiles reader = new SchemaFiles(dialect);
    files.forEach(reader::read);
    List<Table> tables = reader.draft.tables(reader.notes);
    return new Schema(tables, reader.notes.all(), reader.draft.suppressions());
  }

  private void read(DdlFile file) {
    List<DdlStatement> statements = DdlStatements.in(file, dialect);
    WrittenFor.refuseOthers(
        dialect.isPostgreSql() ? WrittenFor.POSTGRESQL : WrittenFor.GOOGLESQL,
        file.path(),
        statements);
    statements.forEach(this::read);
  }

  private void read(DdlStatement statement) {
    List<Token> words = statement.words();
    if (depth(words) > MAX_DEPTH) {
      notes.leftOut(statement, "more than " + MAX_DEPTH + " parentheses in each other");
      noteSuppressions(statement);
      return;
    }
    StatementContext parsed =
        TolerantParsing.parse(words, first -> notes.leftOut(statement, first));
    if (parsed.exception != null) {
      failed(statement, parsed.exception);
      noteSuppressions(statement);
      return;
    }
    StatementReader reader = new StatementReader(statement, dialect, draft, notes);
    reader.visit(parsed);
    String created = reader.created();
    if (created != null) {
      draft.ignore(Suppression.in(statement, created));
    } else if (reader.isLeftOut()) {
      noteSuppressions(statement);
    } else {
      Suppression.refuse(statement);
    }
  }

  private void noteSuppressions(DdlStatement leftOut) {
    leftOut.comments().stream()
        .filter(Suppression::isIn)
        .forEach(
            comment ->
                notes.add(
                    leftOut,
                    comment,
                    "the comment advise:ignore belongs to a statement that is left out"));
  }

  private void failed(DdlStatement statement, RecognitionException failure) {
    if (failure instanceof NoViableAltException) {
      notes.leftOut(statement);
      return;
    }
    Token at = failure.getOffendingToken();
    if (at.getType() == Token.EOF) {
      notes.leftOut(statement, at);
    } else {
      notes.leftOut(
          statement,
          "it is not understood at " + Shown.word(at.getText()) + " in line " + at.getLine());
    }
  }

  private static int depth(List<Token> words) {
    int deepest = 0;
    int parentheses = 0;
    int types = 0;
    for (Token word : words) {
      switch (word.getType()) {
        case GoogleSqlLexer.OPEN -> parentheses++;
        case GoogleSqlLexer.CLOSE -> {
          parentheses--;
          types = 0;
        }
        case GoogleSqlLexer.LESS -> types++;
        case GoogleSqlLexer.GREATER -> types--;
        default -> {}
      }
      deepest = Math.max(deepest, Math.max(parentheses, types));
    }
    return deepest;
  }
}
