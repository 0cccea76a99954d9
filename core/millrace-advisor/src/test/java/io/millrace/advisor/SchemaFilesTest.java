package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How statements become a schema, where the emulator does not know them. */
class SchemaFilesTest {

  private final Path folder;

  SchemaFilesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static Schema google(String ddl) {
    return SchemaFiles.of(DdlDialect.GOOGLESQL, List.of(new DdlFile(Path.of("a.sql"), ddl)));
  }

  private static Schema postgres(String ddl) {
    return SchemaFiles.of(DdlDialect.POSTGRESQL, List.of(new DdlFile(Path.of("a.sql"), ddl)));
  }

  private static Table only(Schema schema) {
    assertThat(schema.tables()).hasSize(1);
    return schema.tables().get(0);
  }

  private static Table table(Schema schema, String name) {
    return schema.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> columns(Table table) {
    return table.columns().stream().map(column -> column.name() + " " + column.type()).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE T (Id INT64 NOT NULL /* ; ) */, -- , it's\n# \"\nName STRING(9)) PRIMARY KEY (Id);",
        "\uFEFFCREATE TABLE T\r\n(\r\n-- x\r\nId INT64 NOT NULL,\r\nName STRING(9),\r\n)\r\nPRIMARY KEY (Id)",
        "/* a */ CREATE /* b */ TABLE /* c */ T /* d */ ( /* e */ Id INT64 NOT NULL, Name STRING(9)) PRIMARY KEY (Id) /* f */",
        "CREATE TABLE T (Id INT64 NOT NULL FANCY (1, (2)) STUFF, Name STRING(9) NOT FANCY) PRIMARY KEY (Id);",
        "CREATE TABLE T (Id INT64 NOT NULL, Name STRING(9), 5 % (7)) PRIMARY KEY (Id) FANCY (a, b) STUFF, MORE (c);",
        "CREATE TABLE T (Id INT64 NOT NULL, Name STRING(9), SYNONYM (Also)) PRIMARY KEY (Id);",
        "CREATE TABLE T (Id INT64 NOT NULL, FOREIGN KEY (a b, c) FANCY (d), Name STRING(9)) PRIMARY KEY (Id);",
        "CREATE TABLE T (Id INT64 NOT NULL AUTO_INCREMENT, Name STRING(9) DEFAULT ('a;)''b')) PRIMARY KEY (Id);",
        "CREATE TABLE T (Id INT64 NOT NULL, Name STRING(9) DEFAULT (\"\"\"a\"';) \\\"\"\"\")) PRIMARY KEY (Id);",
        "CREATE TABLE T (Id INT64 NOT NULL, Name STRING(9) DEFAULT (rb'\\';)')) PRIMARY KEY (Id);",
        "CREATE TABLE T (Id INT64 NOT NULL OPTIONS nonsense, Name STRING(9)) PRIMARY KEY (Id), INTERLEAVE IN;",
      })
  void whateverSurroundsColumnsAndKeyTheyAreFound(String ddl) {
    Table table = only(google(ddl));
    assertThat(table.name()).isEqualTo("T");
    assertThat(columns(table)).containsExactly("Id INT64", "Name STRING(9)");
    assertThat(table.key()).containsExactly(new KeyPart("Id", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (id bigint, Name varchar(9), PRIMARY KEY (ID));",
        "CREATE TABLE \"t\" (\"id\" INT8, name character /* ; */ varying(9), CONSTRAINT \"Pk\" PRIMARY KEY (id))",
        "CREATE TABLE public.t (id serial PRIMARY KEY, name varchar(9) DEFAULT $$a;')$$)",
        "CREATE TABLE t (id bigint CONSTRAINT k PRIMARY KEY, name varchar(9) DEFAULT $x$ $$;' $y$ $x$) FANCY",
        "/* ; /* ; */ ' */ CREATE TABLE t (id bigserial PRIMARY KEY, name varchar(9) DEFAULT E'\\';)')",
        "CREATE TABLE t (id bigint PRIMARY KEY, name varchar(9) DEFAULT 'a\\' CHECK (name <> '''') FANCY)",
        "CREATE TABLE t (id bigint AUTO_INCREMENT PRIMARY KEY, name varchar(9) COLLATE \"C\" NULL);",
        "CREATE TABLE t (id bigint, name varchar(9), CONSTRAINT x UNIQUE (name), PRIMARY KEY (id) FANCY) WITH (a = 1)",
      })
  void postgreSqlHasItsOwnQuotesCommentsAndKeys(String ddl) {
    Table table = only(postgres(ddl));
    assertThat(table.name()).isEqualTo("t");
    assertThat(table.columns()).extracting(Column::name).containsExactly("id", "name");
    assertThat(table.column("name").isText()).isTrue();
    assertThat(table.column("name").maxBytes()).isEqualTo(9);
    assertThat(table.key()).containsExactly(new KeyPart("id", false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "string ( max ) | string(max)",
        "STRING(0x10) | STRING(0x10)",
        "`shop.v1.Order` | `shop.v1.Order`",
        "ARRAY < STRUCT<a INT64, b STRING(MAX)> > | ARRAY<STRUCT<a INT64,b STRING(MAX)>>",
      })
  void aTypeIsKeptAsItIsWritten(String type, String expected) {
    Table table = only(google("CREATE TABLE T (Id INT64, C " + type + ") PRIMARY KEY (Id)"));
    assertThat(table.column("C").type()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INT64 GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE SKIP RANGE 1, 9)",
        "INT64 GENERATED ALWAYS AS IDENTITY",
        "INT64 NOT NULL AUTO_INCREMENT",
      })
  void aNumberOfTheDatabaseIsSpread(String definition) {
    Column column =
        only(google("CREATE TABLE T (Id " + definition + ") PRIMARY KEY (Id)")).column("Id");
    assertThat(column.spread()).isTrue();
  }

  @Test
  void aColumnMayBeNamedLikeAKeyword() {
    Table table =
        only(
            google(
                "CREATE TABLE Table (Primary STRING(1), Constraint INT64, Check BOOL, Index DATE,"
                    + " Column BOOL, Synonym BOOL, Foreign BOOL, Type BOOL) PRIMARY KEY (Primary,"
                    + " Index DESC)"));
    assertThat(table.name()).isEqualTo("Table");
    assertThat(columns(table)).hasSize(8).startsWith("Primary STRING(1)", "Constraint INT64");
    assertThat(table.key())
        .containsExactly(new KeyPart("Primary", false), new KeyPart("Index", true));
  }

  private static final String TWO =
      "CREATE TABLE A (Id INT64, At TIMESTAMP) PRIMARY KEY (Id);"
          + "CREATE TABLE B (Id INT64, N INT64, FOREIGN KEY (N) REFERENCES A (Id)) PRIMARY KEY (Id, N),"
          + " INTERLEAVE IN PARENT A ON DELETE CASCADE;"
          + "CREATE INDEX ByAt ON A (At) STORING (Id);";

  @Test
  void aRenamedTableKeepsItsChildrenAndWhatRefersToIt() {
    Schema schema =
        google(TWO + "RENAME TABLE A TO C, B TO D; ALTER TABLE C RENAME TO E, ADD SYNONYM C");
    assertThat(schema.tables()).extracting(Table::name).containsExactlyInAnyOrder("D", "E");
    Table child = table(schema, "D");
    assertThat(child.parent()).isEqualTo("E");
    assertThat(child.referring()).containsExactly("N");
    assertThat(schema.notes()).isEmpty();
  }

  @Test
  void tablesAreSwappedByThreeRenamingsInOneStatement() {
    assertThat(google(TWO + "RENAME TABLE A TO X, B TO A, X TO B").tables())
        .extracting(table -> table.name() + " in " + table.parent())
        .containsExactlyInAnyOrder("B in null", "A in B");
    Schema schema =
        postgres(
            "CREATE TABLE a (id bigint PRIMARY KEY); CREATE TABLE b (day date PRIMARY KEY);"
                + "ALTER TABLE a RENAME TO x,\n  ALTER TABLE ONLY b RENAME TO a,\n"
                + "  ALTER TABLE IF EXISTS x RENAME TO b, ALTER TABLE IF EXISTS none RENAME TO c");
    assertThat(schema.notes()).isEmpty();
    assertThat(columns(table(schema, "a"))).containsExactly("day date");
    assertThat(columns(table(schema, "b"))).containsExactly("id bigint");
  }

  @Test
  void aTableIsRenamedAndItsOldNameIsASynonym() {
    Schema schema = google(TWO + "ALTER TABLE A RENAME TO C, ADD SYNONYM A; DROP INDEX ByAt");
    assertThat(schema.notes()).isEmpty();
    assertThat(schema.tables()).extracting(Table::name).containsExactlyInAnyOrder("B", "C");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"only", "\"only\"", "ONLY only", "ONLY public.only", "IF EXISTS ONLY only"})
  void onlyMayBeBeforeATableOrItsName(String table) {
    Schema schema =
        postgres(
            "CREATE TABLE only (id bigint PRIMARY KEY);"
                + ("ALTER TABLE " + table + " ADD COLUMN skip bigint, ALTER skip SET NOT NULL"));
    assertThat(schema.notes()).isEmpty();
    assertThat(columns(only(schema))).containsExactly("id bigint", "skip bigint");
  }

  @Test
  void aSynonymStandsForItsTable() {
    String ddl =
        TWO
            + "ALTER TABLE A ADD SYNONYM Z; ALTER TABLE Z ADD COLUMN More BOOL;"
            + " CREATE INDEX ByMore ON z (More); RENAME TABLE A TO C WITH SYNONYM;"
            + " ALTER TABLE A DROP SYNONYM Z;";
    Schema schema = google(ddl);
    assertThat(columns(table(schema, "C"))).contains("More BOOL");
    assertThat(table(schema, "C").indexes()).extracting(Index::name).contains("ByMore");
    assertThat(schema.notes()).isEmpty();
    assertThatThrownBy(() -> google(ddl + "ALTER TABLE Z DROP COLUMN More"))
        .hasMessage("a.sql:1: cannot be judged, ALTER TABLE Z: the files create no table Z");
  }

  @Test
  void alterationsAreAppliedInTheirOrder() {
    Schema schema =
        google(
            TWO
                + "ALTER TABLE a ADD COLUMN X STRING(9), ADD COLUMN IF NOT EXISTS X BOOL, ALTER COLUMN X"
                + " STRING(99) NOT NULL, ALTER COLUMN X SET DEFAULT ('x'), ADD ROW DELETION POLICY"
                + " (OLDER_THAN(At, INTERVAL 1 DAY)), ALTER COLUMN At SET OPTIONS"
                + " (allow_commit_timestamp = true), SET LOCALITY GROUP fast, FROBNICATE (a, b), ADD"
                + " COLUMN Y BOOL;"
                + "ALTER TABLE B SET INTERLEAVE IN A, DROP COLUMN Missing;"
                + "ALTER INDEX ByAt ADD STORED COLUMN X; ALTER INDEX ByAt DROP STORED COLUMN Id");
    Table table = table(schema, "A");
    assertThat(columns(table)).contains("X STRING(99)", "Y BOOL");
    assertThat(table.column("X").defaultValue()).isEqualTo("'x'");
    assertThat(table.column("At").commitTimestamp()).isTrue();
    assertThat(table.indexes())
        .singleElement()
        .extracting(Index::alterations)
        .isEqualTo(
            List.of(
                "ALTER INDEX ByAt ADD STORED COLUMN X", "ALTER INDEX ByAt DROP STORED COLUMN Id"));
    assertThat(schema.notes()).singleElement().asString().contains("FROBNICATE");
  }

  @Test
  void aColumnMayBeDefinedAnew() {
    Table table =
        only(
            google(
                "CREATE TABLE T (Id INT64, A STRING(9) NOT NULL DEFAULT ('x') HIDDEN, B INT64 AS (Id) STORED)"
                    + " PRIMARY KEY (Id);"
                    + "ALTER TABLE T ALTER COLUMN A STRING(99) HIDDEN;"
                    + "ALTER TABLE T ALTER COLUMN B INT64 AS (Id + 1) STORED;"));
    assertThat(table.columns())
        .extracting(Column::type, Column::defaultValue, Column::generated)
        .containsExactly(
            tuple("INT64", null, null),
            tuple("STRING(99)", null, null),
            tuple("INT64", null, "Id + 1"));
  }

  @Test
  void postgreSqlsAlterationsAreAppliedToo() {
    Table table =
        only(
            postgres(
                "CREATE TABLE t (id bigint PRIMARY KEY, a varchar(9) NOT NULL DEFAULT 'x', b bigint);"
                    + "ALTER TABLE t ALTER COLUMN a TYPE varchar(99), ALTER a DROP NOT NULL, ALTER COLUMN"
                    + " b SET NOT NULL, ADD COLUMN c timestamptz, ADD TTL INTERVAL '3 days' ON c;"
                    + "ALTER TABLE IF EXISTS t ALTER COLUMN b SET DATA TYPE text;"));
    assertThat(columns(table))
        .containsExactly("id bigint", "a varchar(99)", "b text", "c timestamptz");
    assertThat(table.column("a").defaultValue()).isEqualTo("'x'");
  }

  @Test
  void anIndexLeadsWithItsColumnsUpToAnExpression() {
    Table table =
        only(
            postgres(
                "CREATE TABLE t (id bigint PRIMARY KEY, a varchar, b varchar, c bigint);"
                    + "CREATE INDEX i1 ON t (a, lower(b)) WHERE (\"a\" IS NOT NULL);"
                    + "CREATE INDEX i2 ON t (lower(b)); CREATE UNIQUE INDEX ON t (c DESC NULLS LAST);"
                    + "CREATE INDEX i4 ON public.t USING btree (b) INCLUDE (a, c) WHERE c > 3;"));
    assertThat(table.indexes())
        .extracting(Index::name, Index::parts, Index::rest)
        .containsExactly(
            tuple("i1", List.of(new KeyPart("a", false)), "a, lower(b)) WHERE (\"a\" IS NOT NULL)"),
            tuple("t_index", List.of(new KeyPart("c", true)), "c DESC NULLS LAST)"),
            tuple("i4", List.of(new KeyPart("b", false)), "b) INCLUDE (a, c) WHERE c > 3"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER TABLE T ALTER COLUMN D SET GLITTER (1) | SET ...",
        "ALTER TABLE T | ALTER TABLE T ...: it ends too early",
        "ALTER TABLE T SET OPTIONS (a = 1), | ALTER TABLE T ...: it ends too early",
        "ALTER TABLE T SET OPTIONS (a = 1),, SET OPTIONS (b = 1) | , ...",
        "DROP INDEX ByDay ON T | DROP INDEX ByDay ...: it is not understood at ON in line 2",
      })
  void whatIsNotUnderstoodIsNamedAndHidesNothing(String statement, String note) {
    Schema schema =
        google(
            "CREATE TABLE T (Id INT64, D DATE) PRIMARY KEY (Id);\n"
                + statement
                + ";\nCREATE INDEX ByDay ON T (D)");
    assertThat(schema.notes()).containsExactly("a.sql:2: left out, " + note);
    assertThat(only(schema).indexes()).extracting(Index::name).containsExactly("ByDay");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE Broken | CREATE TABLE Broken: it ends too early",
        "CREATE TABLE Broken (Id INT64 | CREATE TABLE Broken: it ends too early",
        "CREATE TABLE Broken (Id INT64)) PRIMARY KEY (Id) | CREATE TABLE Broken: it is not"
            + " understood at ) in line 2",
        "CREATE OR REPLACE TABLE B (Id INT64) | CREATE OR REPLACE: it is not understood",
        "CREATE INDEX I OVER T (Id) | CREATE INDEX I: it is not understood at OVER in line 2",
        "CREATE INDEX CONCURRENTLY I ON T (Id) | CREATE INDEX CONCURRENTLY: it is not understood at"
            + " I in line 2",
        "ALTER TABLE Gone ADD COLUMN X BOOL | ALTER TABLE Gone: the files create no table Gone",
        "ALTER TABLE T ALTER COLUMN X INT64 | ALTER TABLE T: the table T has no column X",
        "ALTER INDEX Gone SET OPTIONS (a = 1) | ALTER INDEX Gone: the files create no index Gone",
        "CREATE INDEX I ON Gone (Id) | CREATE INDEX I: the files create no table Gone",
        "DROP TABLE T; CREATE INDEX I ON T (Id) | CREATE INDEX I: the files create no table T",
        "RENAME TABLE Gone TO New | RENAME TABLE Gone: the files create no table Gone",
        "CREATE TABLE t (Id INT64) PRIMARY KEY (Id) | CREATE TABLE t: there is a table t already",
        "CREATE INDEX ByDay ON T (D); CREATE INDEX ByDay ON T (Id) | CREATE INDEX ByDay: there is an"
            + " index ByDay already",
        "CREATE TABLE U (Id INT64) PRIMARY KEY (Gone) | the primary key of U begins with the column"
            + " Gone, which is not among the columns",
        "CREATE INDEX I ON T (Gone, Id) | the index I begins with the column Gone, which is not among"
            + " the columns",
      })
  void aKeyThatCannotBeJudgedIsRefused(String statement, String why) {
    String ddl = "CREATE TABLE T (Id INT64, D DATE) PRIMARY KEY (Id);\n" + statement;
    assertThatThrownBy(() -> google(ddl))
        .isInstanceOfSatisfying(
            SchemaFileException.class, refused -> assertThat(refused.line()).hasValue(2))
        .hasMessage("a.sql:2: cannot be judged, " + why);
  }

  @Test
  void theFirstOfThoseThatCannotBeJudgedIsNamedAndTheOthersAreCounted() {
    assertThatThrownBy(
            () ->
                google(
                    "CREATE TABLE T (Id INT64) PRIMARY KEY (Gone);\nALTER TABLE U DROP COLUMN X;\n"
                        + "CREATE TABLE V;"))
        .hasMessageStartingWith("a.sql:1: cannot be judged, ")
        .hasMessageEndingWith(" (and 2 more)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE CHANGE STREAM S FOR ALL",
        "CREATE OR REPLACE VIEW V SQL SECURITY INVOKER AS SELECT 1",
        "CREATE SEARCH INDEX S ON T (Tokens); DROP SEARCH INDEX S",
        "CREATE SEARCH INDEX S ON T (Tokens); DROP INDEX S",
        "CREATE VECTOR INDEX I ON T (V); ALTER VECTOR INDEX I ADD STORED COLUMN X",
        "CREATE PROPERTY GRAPH G NODE TABLES (T)",
        "CREATE PROTO BUNDLE (shop.Order); ALTER PROTO BUNDLE INSERT (shop.Item)",
        "CREATE LOCALITY GROUP fast OPTIONS (storage = 'ssd')",
        "GRANT SELECT ON TABLE T TO ROLE r",
        "INSERT INTO T (Id) VALUES (1), (';')",
        "ANALYZE",
        "START BATCH DDL; RUN BATCH",
        "SET PROTO_DESCRIPTORS = 'x'",
        "DROP INDEX Gone",
        "DROP TABLE Gone",
      })
  void aStatementWithoutAKeyIsPassedBy(String statement) {
    Schema schema = google(statement + ";CREATE TABLE T (Id INT64) PRIMARY KEY (Id)");
    assertThat(schema.notes()).isEmpty();
    assertThat(columns(only(schema))).containsExactly("Id INT64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE SEQUENCE S OPTIONS (sequence_kind = 'bit_reversed_positive')",
        "ALTER SEQUENCE S SET OPTIONS (skip_range_min = 1)",
        "DROP SEQUENCE S",
        "CREATE SCHEMA s",
        "DROP SCHEMA s",
        "ALTER DATABASE d SET OPTIONS (default_sequence_kind = 'bit_reversed_positive')",
        "ALTER TABLE T SET ON DELETE CASCADE",
        "ALTER TABLE T ALTER COLUMN Id ALTER IDENTITY SET SKIP RANGE 1, -100, SET OPTIONS (a = 1)",
        "ALTER TABLE IF EXISTS ONLY T SET OPTIONS (a = 1)",
        "CREATE INDEX I ON T (Id) OPTIONS (a = 1); ALTER INDEX I SET OPTIONS (a = null)",
        "DROP TABLE IF EXISTS Gone",
        "DROP INDEX IF EXISTS Gone",
        "CREATE TABLE IF NOT EXISTS T (Other INT64) PRIMARY KEY (Other)",
      })
  void aStatementThatIsUnderstoodAndChangesNoKeyIsNotNoted(String statement) {
    Schema schema = google("CREATE TABLE T (Id INT64) PRIMARY KEY (Id);" + statement);
    assertThat(schema.notes()).isEmpty();
    assertThat(columns(only(schema))).containsExactly("Id INT64");
  }

  @Test
  void aPartThatIsNotUnderstoodIsNamedWithItsLine() {
    Schema schema =
        google(
            "CREATE TABLE T (\n  Id INT64 SPARKLING (1),\n  5 % 3,\n  At DATE,\n  AT DATE\n)"
                + " PRIMARY KEY (Id),\n  GLITTER (2);\nCREATE INDEX I ON T (At)\n  SHINING");
    assertThat(schema.notes())
        .containsExactly(
            "a.sql:2: left out, SPARKLING ...",
            "a.sql:3: left out, 5 ...",
            "a.sql:5: the column AT of T is there twice",
            "a.sql:7: left out, GLITTER ...",
            "a.sql:9: left out, SHINING ...");
  }

  @Test
  void whatIsNotUnderstoodOfAnIndexOrOfPostgreSqlsColumnIsNoted() {
    assertThat(
            postgres(
                    "CREATE TABLE t (id bigint PRIMARY KEY); CREATE INDEX i ON t (id);\n"
                        + "ALTER INDEX i GLITTER (2);\nALTER TABLE t ALTER COLUMN id SPARKLE (1)")
                .notes())
        .containsExactly("a.sql:2: left out, GLITTER ...", "a.sql:3: left out, SPARKLE ...");
  }

  @Test
  void partsThatAreAlikeAreNotedOnce() {
    assertThat(google("CREATE TABLE T (A BOOL SHINY, B BOOL SHINY, C BOOL)").notes())
        .containsExactly("a.sql:1: left out, SHINY ... (and 1 more)");
  }

  @Test
  void aNoteIsOneLineWithoutWhatActsOnATerminal() {
    assertThat(google("CREATE TABLE T (Id BOOL,\n`a\u001B[31m" + "x".repeat(100) + "`)").notes())
        .singleElement()
        .asString()
        .isEqualTo("a.sql:2: left out, `a [31m" + "x".repeat(57) + "... ...");
  }

  @Test
  void aKeyOfAMissingColumnIsNotedAndEndsThere() {
    Schema schema =
        google(
            "CREATE TABLE T (Id INT64, At DATE)\n PRIMARY KEY (id, Gone, At);"
                + "CREATE INDEX J ON T (at, Gone)");
    assertThat(only(schema).key()).containsExactly(new KeyPart("Id", false));
    assertThat(only(schema).indexes())
        .singleElement()
        .extracting(Index::parts)
        .isEqualTo(List.of(new KeyPart("At", false)));
    assertThat(schema.notes())
        .containsExactly(
            "a.sql:2: the column Gone of the index J is not among the columns",
            "a.sql:2: the column Gone of the primary key of T is not among the columns");
  }

  @Test
  void aParentThatTheFilesDoNotCreateIsNotedAndNotBlamed() throws IOException {
    Advice advice =
        advice(
            "CREATE TABLE T (Day DATE, Id INT64) PRIMARY KEY (Day, Id), INTERLEAVE IN PARENT Gone");
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes())
        .singleElement()
        .asString()
        .endsWith(":1: the files create no table Gone, in which T is interleaved");
  }

  @Test
  void tablesThatAreInterleavedInEachOtherAreNoted() throws IOException {
    Advice advice =
        advice(
            "CREATE TABLE A (D DATE) PRIMARY KEY (D), INTERLEAVE IN PARENT B;\n"
                + "CREATE TABLE B (D DATE) PRIMARY KEY (D), INTERLEAVE IN PARENT A;\n"
                + "CREATE TABLE C (D DATE) PRIMARY KEY (D), INTERLEAVE IN PARENT C");
    assertThat(advice.findings()).extracting(Finding::object).containsExactly("A", "B", "C");
    assertThat(advice.notes())
        .hasSize(3)
        .allSatisfy(note -> assertThat(note).endsWith("is interleaved in itself"));
  }

  @Test
  void columnsThatAreComputedFromEachOtherAreNoHotspot() throws IOException {
    assertThat(
            advice(
                    "CREATE TABLE T (A INT64 AS (B), B INT64 AS (C), C INT64 AS (A)) PRIMARY KEY (A)")
                .findings())
        .extracting(Finding::rule)
        .doesNotContain(Rule.RISING_KEY);
  }

  private Advice advice(String ddl) throws IOException {
    return SchemaAdvisor.ofFiles(Files.writeString(folder.resolve("a.sql"), ddl)).advice();
  }

  @Test
  void aTableIsAtItsPrimaryKeyAndAnIndexAtItsBeginning() {
    Schema schema =
        google(
            "-- comment\ncreate table if not exists `shop`.`orders` (\n  Day DATE,\n)"
                + " primary -- not yet\n key (Day); CREATE UNIQUE NULL_FILTERED\n INDEX shop.ByDay ON"
                + " shop.Orders (Day);");
    Table table = only(schema);
    assertThat(table.place()).isEqualTo(new Place(Path.of("a.sql"), 4, ") primary -- not yet"));
    assertThat(table.indexes())
        .extracting(Index::place)
        .containsExactly(new Place(Path.of("a.sql"), 5, "CREATE UNIQUE NULL_FILTERED"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- advise:ignore rising-key a row a day\nCREATE TABLE T (A DATE) PRIMARY KEY (A)",
        "# advise:ignore rising-key a row a day\nCREATE TABLE T (A DATE) PRIMARY KEY (A)",
        "/* advise:ignore rising-key a row a day */ CREATE TABLE T (A DATE) PRIMARY KEY (A)",
        "CREATE TABLE T (\n  -- advise:ignore rising-key a row a day\n A DATE) PRIMARY KEY (A)",
        "CREATE TABLE T (A DATE) /* x\n advise:ignore rising-key a row a day\n*/ PRIMARY KEY (A)",
        "CREATE TABLE T (A DATE) PRIMARY KEY (A); -- advise:ignore rising-key a row a day\n"
            + "CREATE TABLE U (A BOOL) PRIMARY KEY (A)",
      })
  void aCommentBeforeWithinOrBehindAStatementCallsAFindingHarmless(String ddl) {
    assertThat(google(ddl).suppressions())
        .containsExactly(new Suppression(Rule.RISING_KEY, "T", "a row a day"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-- advise:ignore rising-key | CREATE TABLE T (A DATE) PRIMARY KEY (A) | needs a rule and a reason",
        "-- advise:ignore | CREATE TABLE T (A DATE) PRIMARY KEY (A) | needs a rule and a reason",
        "-- advise:ignore hot because | CREATE TABLE T (A DATE) PRIMARY KEY (A) | has no rule 'hot'",
        "-- advise:ignore rising-key because | DROP TABLE IF EXISTS T | belongs to no table",
        "-- advise:ignore rising-key because | CREATE VIEW V AS SELECT 1 | belongs to no table",
        "-- advise:ignore rising-key because | DROP INDEX X ON T | belongs to no table",
        "-- advise:ignore rising-key because | -- | at the end belongs to no statement",
      })
  void aCommentThatSaysTooLittleIsRefusedWithItsLine(String comment, String rest, String why) {
    assertThatThrownBy(() -> google("\n" + comment + "\n" + rest))
        .isInstanceOf(SchemaFileException.class)
        .hasMessageStartingWith("a.sql:2: the comment advise:ignore ")
        .hasMessageContaining(why);
  }

  @Test
  void aKeyOrAnIndexThatLeadsWithAnExpressionIsNoted() {
    assertThat(
            postgres(
                    "CREATE TABLE t (a varchar, PRIMARY KEY (lower(a)));\n"
                        + "CREATE INDEX i ON t (lower(a)); CREATE INDEX j ON t (a, lower(a))")
                .notes())
        .containsExactly(
            "a.sql:1: the primary key of t leads with an expression, which is not judged",
            "a.sql:2: the index i leads with an expression, which is not judged");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE T (Id INT64) PRIMARY KEY (Id)\n\nCREATE INDEX I ON T (Id);",
        "ALTER TABLE T\n  ADD COLUMN X BOOL\nALTER TABLE T ADD COLUMN Y BOOL",
        "CREATE TABLE T (Id INT64\n\nDROP TABLE U;",
      })
  void aMissingSemicolonIsRefusedWhereTheSecondStatementBegins(String ddl) {
    assertThatThrownBy(() -> google(ddl))
        .isInstanceOfSatisfying(
            SchemaFileException.class,
            refused -> {
              assertThat(refused.line()).hasValue(3);
              assertThat(refused.file()).isEqualTo(Path.of("a.sql"));
            })
        .hasMessageContaining("a.sql:3: ")
        .hasMessageContaining("no semicolon ends the one of line 1");
  }

  @Test
  void anAlterationOnALineOfItsOwnBeginsNoStatement() {
    Schema schema =
        google(
            "CREATE TABLE T (Id INT64, X BOOL) PRIMARY KEY (X);\nALTER TABLE T\n  ALTER COLUMN X\n"
                + "  SET DEFAULT (true),\n  DROP COLUMN Id,\nADD COLUMN Y BOOL");
    assertThat(schema.notes()).isEmpty();
    assertThat(columns(only(schema))).containsExactly("X BOOL", "Y BOOL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (id bigint NOT NULL, name varchar(9), PRIMARY KEY (id));",
        "CREATE TABLE \"t\" (\"id\" bigint PRIMARY KEY);",
        "CREATE TABLE t (id uuid, at timestamptz, PRIMARY KEY (id));",
      })
  void aFileOfTheOtherDialectIsRefusedByName(String ddl) {
    assertThatThrownBy(() -> google(ddl))
        .isInstanceOf(SchemaFileException.class)
        .hasMessage("a.sql is written for PostgreSQL, and was read as Spanner's GoogleSQL");
    assertThat(only(postgres(ddl)).key()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE T (Id INT64, Name STRING(9)) PRIMARY KEY (Id);",
        "CREATE TABLE `T` (`Id` TIMESTAMP) PRIMARY KEY (`Id`);",
      })
  void aFileOfGoogleSqlIsRefusedAsPostgreSql(String ddl) {
    assertThatThrownBy(() -> postgres(ddl))
        .isInstanceOf(SchemaFileException.class)
        .hasMessage("a.sql is written for Spanner's GoogleSQL, and was read as PostgreSQL");
    assertThat(only(google(ddl)).key()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE `t` (`id` int(11) NOT NULL AUTO_INCREMENT, PRIMARY KEY (`id`)) ENGINE=InnoDB;",
        "CREATE TABLE t (id NUMBER(9), name VARCHAR2(9));",
      })
  void aFileOfAnotherDatabaseIsRefused(String ddl) {
    assertThatThrownBy(() -> google(ddl)).hasMessageContaining("another database than Spanner");
    assertThatThrownBy(() -> postgres(ddl)).hasMessageContaining("another database than Spanner");
  }

  @Test
  void anOddTypeAmongOthersIsNoReasonToRefuseAFile() {
    assertThat(
            columns(
                only(
                    google(
                        "CREATE TABLE T (Id INT64, A varchar(9), B datetime) PRIMARY KEY (Id)"))))
        .containsExactly("Id INT64", "A varchar(9)", "B datetime");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "ARRAY<"})
  void aStatementThatIsTooDeepIsRefusedIfItMayHaveAKey(String opening) {
    String deep = "Deep (Id INT64, X " + opening.repeat(10_000) + ";\n";
    String other = "CREATE TABLE T (Id INT64) PRIMARY KEY (Id)";
    assertThat(only(google("CREATE VIEW " + deep + other)).name()).isEqualTo("T");
    assertThatThrownBy(() -> google("CREATE TABLE " + deep + other))
        .isInstanceOf(SchemaFileException.class)
        .hasMessageContaining("CREATE TABLE Deep: more than 200 parentheses");
  }

  @Test
  void commentsInCommentsMayBeDeep() {
    String comment = "/*".repeat(10_000) + "x;" + "*/".repeat(10_000);
    assertThat(only(postgres(comment + "CREATE TABLE t (id bigint PRIMARY KEY)")).key()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "-- only a comment", ";;"})
  void aFileMayHaveNoTable(String ddl) {
    assertThat(google(ddl).tables()).isEmpty();
    assertThat(postgres(ddl).tables()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "googlesql | /* | /*",
        "googlesql | /*/ | /*",
        "postgresql | /* /* */ | /*",
        "postgresql | $$ $x$ | $$",
        "googlesql | ' | '",
        "googlesql | `x | `",
        "googlesql | r\"x\\\" | \"",
        "googlesql | \"\"\"x\" | \"\"",
        "googlesql | '''x\\''' | ''",
        "postgresql | 'x'' | '",
        "postgresql | \" | \""
      })
  void aCommentOrATextThatNeverEndsIsRefusedBecauseItHidesStatements(
      String dialect, String endless, String beginning) {
    String ddl = "CREATE SEQUENCE a;\n" + endless + ";\nCREATE SEQUENCE b;";
    List<DdlFile> files = List.of(new DdlFile(Path.of("a.sql"), ddl));
    assertThatThrownBy(() -> SchemaFiles.of(DdlDialect.of(dialect), files))
        .isInstanceOf(SchemaFileException.class)
        .hasMessage("a.sql:2: what begins with " + beginning + " never ends");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\\"", "\\`", "\\\"\"\"x\"\n"})
  void aTextThatNeverEndsIsLookedForOnce(String part) {
    String ddl = "CREATE SEQUENCE a;" + part.repeat(1_000_000);
    List<DdlFile> files = List.of(new DdlFile(Path.of("a.sql"), ddl));
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () ->
            assertThatThrownBy(() -> SchemaFiles.of(DdlDialect.GOOGLESQL, files))
                .isInstanceOf(SchemaFileException.class));
  }

  @Test
  void aMissingSemicolonIsRefusedOnTheLineOfTheSecondStatementToo() {
    assertThatThrownBy(
            () -> google("CREATE TABLE A (I DATE) PRIMARY KEY (I) CREATE INDEX X ON A (I)"))
        .isInstanceOf(SchemaFileException.class)
        .hasMessageStartingWith("a.sql:1: CREATE INDEX begins a statement");
  }

  @Test
  void aColumnMayBeNamedLikeAWordOfAnotherDatabase() {
    assertThat(
            google("CREATE TABLE Cars (Engine STRING(9), CHECK (Engine = 'V8')) PRIMARY KEY ()")
                .tables())
        .extracting(Table::name)
        .containsExactly("Cars");
  }

  @Test
  void aTableIsNotRenamedOverAnother() {
    assertThatThrownBy(
            () ->
                google(
                    "CREATE TABLE A (I DATE) PRIMARY KEY (I); CREATE TABLE B (I DATE);"
                        + "RENAME TABLE A TO B"))
        .hasMessage("a.sql:1: cannot be judged, RENAME TABLE A: there is a table B already");
  }

  @Test
  void aCommentCallsAFindingHarmlessAfterItsTableIsRenamed() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.sql"),
            "CREATE TABLE A (I DATE) PRIMARY KEY (I); -- advise:ignore rising-key few rows\n"
                + "RENAME TABLE A TO B, B TO C;");
    Advice advice = SchemaAdvisor.ofFiles(file).advice();
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.ignored()).hasSize(1);
    assertThat(advice.needless()).isEmpty();
  }

  @Test
  void aLengthThatNoNumberHoldsIsNoLimit() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.sql"),
            "CREATE TABLE A (I STRING(99999999999999999999)) PRIMARY KEY (I)");
    assertThat(SchemaAdvisor.ofFiles(file).advice().findings()).isEmpty();
  }

  @Test
  void aReportHasNothingThatActsOnATerminal() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.sql"),
            "CREATE TABLE `A\u001B[31m` (`I\u001B` DATE) PRIMARY KEY (`I\u001B`);"
                + "-- advise:ignore rising-index none\n"
                + "CREATE INDEX `X\u001B` ON `A\u001B[31m` (`I\u001B`)");
    assertThat(ReportFormat.TEXT.print(SchemaAdvisor.ofFiles(file).advice()))
        .contains("rising-key", "A [31m")
        .doesNotContain("\u001B");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1:b.sql", "a:b.sql"})
  void aColonInTheNameOfAFileMakesNoSchemeInSarif(String name) {
    DdlFile file = new DdlFile(Path.of(name), "CREATE TABLE A (I DATE) PRIMARY KEY (I)");
    Place place = only(SchemaFiles.of(DdlDialect.GOOGLESQL, List.of(file))).place();
    Finding finding =
        new Finding(Rule.RISING_KEY, Severity.WARNING, "A", null, "I", "rises", List.of(), place);
    assertThat(
            ReportFormat.SARIF.print(
                new Advice(List.of(finding), List.of(), List.of(), List.of(), 1, 0)))
        .contains("\"uri\" : \"./" + name + "\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-- +goose Up | -- +goose Down",
        "--+goose up | --  +GOOSE DOWN",
        "-- +migrate Up | -- +migrate Down notransaction",
        "-- migrate:up | -- migrate:down transaction:false",
        "-- rambler up | -- rambler down",
        "# --- !Ups | # --- !Downs",
        "-- Up Migration | -- Down Migration",
        "-- ==== UP ==== | -- ==== DOWN ====",
        "-- // A log | -- //@UNDO",
        "-- A log | ---- create above / drop below ----",
      })
  void whatAMigrationDoesToGoBackIsNotRead(String up, String down) {
    String ddl =
        up
            + "\nCREATE TABLE Log (At TIMESTAMP NOT NULL, Id STRING(36)) PRIMARY KEY (At, Id)\n"
            + down
            + "\n-- advise:ignore rising-key none\nDROP TABLE Log; CREATE";
    Schema schema = google(ddl);
    assertThat(only(schema).name()).isEqualTo("Log");
    assertThat(schema.notes()).isEmpty();
    assertThat(schema.suppressions()).isEmpty();
  }

  @Test
  void theWayForthMayComeAfterTheWayBack() {
    String ddl = "-- +migrate Down\nDROP TABLE T;\n-- +migrate Up\nCREATE TABLE T (D DATE)";
    assertThat(only(google(ddl)).name()).isEqualTo("T");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-- up and down\n", "-- Down\n", "-- goose down\n", "/* !Downs */"})
  void aCommentThatOnlySpeaksOfTheWayBackHidesNothing(String comment) {
    String ddl = comment + "CREATE TABLE T (" + comment + "D DATE) PRIMARY KEY (D)";
    assertThat(only(google(ddl)).key()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- +goose StatementBegin\n%s\n-- +goose StatementEnd\n",
        "-- +migrate StatementBegin\n%s\n-- +migrate StatementEnd\n",
        "--changeset me:1\n%s\n",
        "-- changeset me:1 dbms:cloudspanner\n%s\n",
      })
  void aStatementThatAToolMarksNeedsNoSemicolon(String marked) {
    String ddl =
        marked.formatted("CREATE TABLE T (D DATE) PRIMARY KEY (D)")
            + marked.formatted("CREATE INDEX I ON T (D)");
    assertThat(only(google(ddl)).indexes()).hasSize(1);
  }

  @Test
  void whatComesBeforeItsTableOrItsIndexIsAppliedOnceThatIsThere() {
    Schema schema =
        SchemaFiles.of(
            DdlDialect.GOOGLESQL,
            List.of(
                new DdlFile(
                    Path.of("1.sql"),
                    "ALTER INDEX ByDay ADD STORED COLUMN Name;\n-- advise:ignore rising-index few\n"
                        + "CREATE INDEX ByDay ON New (Day) FANCY; DROP TABLE Old;"
                        + "ALTER TABLE Old ADD COLUMN Day DATE; CREATE INDEX Gone ON Old (Day);"),
                new DdlFile(
                    Path.of("2.sql"),
                    "CREATE TABLE Old (Id STRING(36), Name STRING(9)) PRIMARY KEY (Id);"
                        + "RENAME TABLE Old TO New; DROP INDEX Gone;")));
    Table table = only(schema);
    assertThat(columns(table)).contains("Day DATE");
    assertThat(table.indexes())
        .singleElement()
        .satisfies(
            index -> {
              assertThat(index.place())
                  .isEqualTo(
                      new Place(Path.of("1.sql"), 3, "CREATE INDEX ByDay ON New (Day) FANCY"));
              assertThat(index.alterations()).hasSize(1);
            });
    assertThat(schema.suppressions())
        .containsExactly(new Suppression(Rule.RISING_INDEX, "ByDay", "few"));
    assertThat(schema.notes()).containsExactly("1.sql:3: left out, FANCY ...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DROP INDEX ByDay", "DROP INDEX ByDay; DROP TABLE U"})
  void aCommentToIgnoreIsDroppedWithItsIndexAndItsTable(String drops) throws IOException {
    Advice advice =
        advice(
            "CREATE TABLE T (Id STRING(36)) PRIMARY KEY (Id);\n"
                + "-- advise:ignore rising-key few\nCREATE TABLE U (Day DATE) PRIMARY KEY (Day);\n"
                + "-- advise:ignore rising-index few\nCREATE INDEX ByDay ON U (Day);"
                + drops);
    assertThat(advice.needless()).isEmpty();
  }

  @Test
  void severalFilesAreOneSchema() {
    Schema schema =
        SchemaFiles.of(
            DdlDialect.GOOGLESQL,
            List.of(
                new DdlFile(Path.of("1.sql"), "CREATE TABLE T (Id INT64) PRIMARY KEY (Id)"),
                new DdlFile(Path.of("2.sql"), "\nCREATE INDEX I ON T (Id)")));
    assertThat(only(schema).indexes())
        .extracting(Index::place)
        .containsExactly(new Place(Path.of("2.sql"), 2, "CREATE INDEX I ON T (Id)"));
  }
}
