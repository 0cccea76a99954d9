package io.millrace.advisor;

import io.millrace.advisor.grammar.DdlParser.StatementContext;
import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;

/**
 * Reads a schema from files with statements, of which the later ones may alter what the earlier
 * ones create. A clause that is not understood is left out with a note. A key or an index that is
 * not known is refused.
 */
final class SchemaFiles {

  /** Parentheses in parentheses. The parser calls itself for each. */
  private static final int MAX_DEPTH = 200;

  private final DdlDialect dialect;
  private final SchemaDraft draft;
  private final Notes notes;

  /** Statements whose table or index is not there yet: the files are in the order of names. */
  private final List<StatementReader> waiting = new ArrayList<>();

  private SchemaFiles(DdlDialect dialect, List<DdlFile> files) {
    this.dialect = dialect;
    this.draft = new SchemaDraft(dialect);
    this.notes = new Notes(files.stream().map(DdlFile::path).toList());
  }

  /**
   * Reads files, and the files in folders.
   *
   * @throws SchemaFileException if a file cannot be read, if a key or an index is not known, or if
   *     there is no table
   */
  static Schema read(DdlDialect dialect, List<Path> files) {
    List<DdlFile> read = files.stream().flatMap(DdlFolder::filesOf).map(DdlFile::read).toList();
    Schema schema = of(dialect, read);
    if (schema.tables().isEmpty()) {
      throw new SchemaFileException(files.get(0), noTableIn(files));
    }
    return schema;
  }

  private static String noTableIn(List<Path> files) {
    return "there is no table in "
        + files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /** Reads the texts of files. */
  static Schema of(DdlDialect dialect, List<DdlFile> files) {
    SchemaFiles reader = new SchemaFiles(dialect, files);
    files.forEach(reader::read);
    reader.waiting.forEach(StatementReader::noteMissing);
    List<Table> tables = reader.draft.tables(reader.notes);
    reader.notes.refuseUnjudged();
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
      notUnderstood(statement, "more than " + MAX_DEPTH + " parentheses in each other");
      return;
    }
    StatementContext parsed =
        TolerantParsing.parse(words, first -> notes.leftOut(statement, first));
    if (parsed.exception != null) {
      notUnderstood(statement, reason(parsed.exception));
      return;
    }
    StatementReader reader = new StatementReader(statement, parsed, dialect, draft, notes);
    boolean applied = reader.apply();
    if (!applied) {
      waiting.add(reader);
    }
    while (applied) {
      applied = waiting.removeIf(StatementReader::apply);
    }
  }

  /** Nothing is said of a statement without a key. */
  private void notUnderstood(DdlStatement statement, String because) {
    if (statement.concernsKeys() && statement.first().getType() != GoogleSqlLexer.DROP) {
      notes.cannotJudge(statement, because);
      return;
    }
    Suppression.refuse(statement);
    if (statement.concernsKeys()) {
      notes.leftOut(statement, because);
    }
  }

  private static String reason(RecognitionException failure) {
    Token at = failure.getOffendingToken();
    if (at.getType() == Token.EOF) {
      return "it ends too early";
    }
    return failure instanceof NoViableAltException
        ? "it is not understood"
        : "it is not understood at " + Shown.word(at.getText()) + " in line " + at.getLine();
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
