package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A schema that is read from statements is the one that the database describes. */
@SpannerTest
class ParsedSchemaTest {

  private static final int TABLES = 30;

  private final SpannerEmulator emulator;

  ParsedSchemaTest(EmulatorDatabase shared) {
    this.emulator = shared.emulator();
  }

  private static Path file(String statements, Dialect dialect) throws URISyntaxException {
    String name =
        statements + (dialect == Dialect.POSTGRESQL ? "-postgresql" : "-googlesql") + ".sql";
    return Path.of(Objects.requireNonNull(ParsedSchemaTest.class.getResource(name)).toURI());
  }

  /** The tests of millrace-spanner see to it that it writes these statements. */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void readsStatementsOfThisProjectAsTheDatabaseDoes(Dialect dialect) throws URISyntaxException {
    compare(DdlFile.read(file("written", dialect)), dialect, 1);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void readsUnusualStatementsAsTheDatabaseDoes(Dialect dialect) throws URISyntaxException {
    compare(DdlFile.read(file("unusual", dialect)), dialect, 25);
  }

  private void compare(DdlFile file, Dialect dialect, int leastTables) {
    List<String> statements =
        DdlStatements.in(file, Described.dialect(dialect)).stream().map(Described::text).toList();
    try (EmulatorDatabase database =
        emulator.createDatabase(dialect, statements.toArray(String[]::new))) {
      Schema parsed = SchemaFiles.of(Described.dialect(dialect), List.of(file));
      assertThat(parsed.notes()).isEmpty();
      assertThat(parsed.tables()).hasSizeGreaterThanOrEqualTo(leastTables);
      Described.assertSame(parsed, database);
    }
  }

  private void compareAtRandom(Dialect dialect, long seed) {
    System.out.println(dialect + " with seed " + seed);
    RandomDdl ddl = new RandomDdl(seed, dialect == Dialect.POSTGRESQL, TABLES);
    try (EmulatorDatabase database =
        emulator.createDatabase(dialect, ddl.plain().toArray(String[]::new))) {
      Schema parsed = Described.parsed(Described.dialect(dialect), ddl.plain());
      assertThat(parsed.tables()).hasSize(TABLES);
      Described.assertSame(parsed, database);
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void readsRandomStatementsAsTheDatabaseDoes(Dialect dialect) {
    compareAtRandom(dialect, 7);
  }
}
