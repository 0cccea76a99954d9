package io.millrace.advise;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.SpannerException;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A database of the emulator with the statements of files. */
final class EmulatedSchema implements AutoCloseable {

  /** The statements that make keys and indexes, or what these need. */
  private static final Set<String> NEEDED =
      Set.of(
          "CREATE TABLE",
          "CREATE INDEX",
          "CREATE UNIQUE",
          "CREATE NULL_FILTERED",
          "CREATE SEQUENCE",
          "CREATE SCHEMA",
          "ALTER TABLE",
          "ALTER INDEX",
          "ALTER SEQUENCE",
          "DROP TABLE",
          "DROP INDEX",
          "DROP SEQUENCE",
          "RENAME TABLE");

  /** Identity columns need it. The database of the file has another name. */
  private static final Pattern DATABASE_OPTION =
      Pattern.compile(
          "ALTER\\s+DATABASE\\s+[^\\s]+(\\s+SET\\s+.*default_sequence_kind.*)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final Dialect dialect;
  private final EmulatorDatabase database;
  private final List<String> notes = new ArrayList<>();

  EmulatedSchema(SpannerEmulator emulator, Dialect dialect, List<DdlFile> files) {
    this.dialect = dialect;
    this.database = emulator.createDatabase(dialect);
    try {
      files.forEach(this::load);
    } catch (RuntimeException | Error failure) {
      database.close();
      throw failure;
    }
  }

  /** Loads one statement after the other, so that an error names its line. */
  private void load(DdlFile file) {
    for (DdlFile.Statement statement : file.statements()) {
      Matcher ofDatabase = DATABASE_OPTION.matcher(statement.code());
      if (isNeeded(statement) || ofDatabase.lookingAt()) {
        try {
          database.update(
              ofDatabase.lookingAt()
                  ? "ALTER DATABASE "
                      + quoted(dialect, database.id().getDatabase())
                      + ofDatabase.group(1)
                  : statement.text());
        } catch (IllegalStateException refused) {
          throw refused(file, statement, refused.getCause());
        }
      } else {
        notes.add(
            file.path()
                + ":"
                + statement.line()
                + ": left out, "
                + statement.firstWords()
                + " ...");
      }
    }
  }

  private static String quoted(Dialect dialect, String name) {
    String quote = dialect == Dialect.POSTGRESQL ? "\"" : "`";
    return quote + name + quote;
  }

  private static boolean isNeeded(DdlFile.Statement statement) {
    String[] words = statement.code().split("\\s+", 3);
    return words.length > 1
        && NEEDED.contains((words[0] + " " + words[1]).toUpperCase(Locale.ROOT));
  }

  private static IllegalArgumentException refused(
      DdlFile file, DdlFile.Statement statement, @Nullable Throwable cause) {
    String answer = cause == null ? "refused" : String.valueOf(cause.getMessage());
    String shortened =
        cause instanceof SpannerException
            ? answer.replaceFirst("^[A-Z_]+: io\\.grpc\\.StatusRuntimeException: ", "")
            : answer;
    return new IllegalArgumentException(
        file.path()
            + ":"
            + statement.line()
            + ": the Spanner emulator refuses this statement: "
            + shortened.lines().findFirst().orElse(""),
        cause);
  }

  EmulatorDatabase database() {
    return database;
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    database.close();
  }
}
