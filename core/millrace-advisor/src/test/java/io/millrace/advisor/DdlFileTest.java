package io.millrace.advisor;

import static io.millrace.advisor.SchemaAssert.assertThatSchemaFiles;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are read. */
class DdlFileTest {

  private static final String TABLE = "CREATE TABLE T (Day DATE) PRIMARY KEY (Day);";

  private final Path folder;

  DdlFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path file(String name, byte... content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private static void assertRefused(Path file, String message) {
    assertThatThrownBy(() -> SchemaAdvisor.ofFiles(file).advice())
        .isInstanceOfSatisfying(
            SchemaFileException.class,
            refused -> {
              assertThat(refused.file()).isEqualTo(file);
              assertThat(refused.line()).isEmpty();
            })
        .hasMessage(message);
  }

  @Test
  void aFileThatIsMissingAndAFolderWithoutFilesAreRefused() {
    Path missing = folder.resolve("missing.sql");
    assertRefused(missing, "there is no file " + missing);
    assertRefused(folder, "there is no file of SQL (.sql, .ddl, .sdl, .psql, .pgsql) in " + folder);
  }

  @Test
  void filesWithoutATableAreRefused() throws IOException {
    Path empty = file("empty.sql");
    assertRefused(empty, "there is no table in " + empty);
    Path data = file("data.sql", "\nANALYZE;".getBytes(UTF_8));
    assertRefused(data, "there is no table in " + data);
  }

  @Test
  void aFolderStandsForItsFilesInTheOrderOfTheirNumbers() throws IOException {
    Files.createDirectories(folder.resolve("db"));
    file("db/V2.sql", "CREATE TABLE T (Id STRING(9), Day DATE) PRIMARY KEY (Id)".getBytes(UTF_8));
    file("db/V10.ddl", "CREATE INDEX ByDay ON T (Day)".getBytes(UTF_8));
    file("db/README.md", "CREATE TABLE".getBytes(UTF_8));
    file("last.sql", "DROP INDEX ByDay".getBytes(UTF_8));
    Path db = folder.resolve("db");
    assertThat(SchemaAdvisor.ofFiles(db).advice().findings())
        .extracting(finding -> String.valueOf(finding.place()))
        .containsExactly(db.resolve("V10.ddl") + ":1");
    assertThatSchemaFiles(db, folder.resolve("last.sql")).hasNoHotspots();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "V1__init.sql V1__zebra.sql V1.1__more.sql V2__x.sql V2.10.sql V10__x.sql",
        "V1__2nd.sql V1_1__1st.sql V2__a.sql",
        "001_init.sql 001.1_fix.sql 2.sql a.sql",
        "schema.sql schema-2.sql schema-10.ddl schemas.sql",
        "a.sql a/1.sql a/2.SQL a/b/1.sql a-1/1.sql ab/1.sql",
        "20240101000000_a.sql 20240102000000_a.sql",
      })
  void filesAreReadInTheNaturalOrderOfTheirNames(String names) throws IOException {
    List<String> expected = List.of(names.split(" "));
    List<String> shuffled = new ArrayList<>(expected);
    Collections.reverse(shuffled);
    for (String name : shuffled) {
      Files.createDirectories(folder.resolve(name).getParent());
      file(name, TABLE.getBytes(UTF_8));
    }
    assertThat(DdlFolder.filesOf(folder).map(folder::relativize).map(Path::toString))
        .containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1_a.up.sql 1_a.down.sql",
        "1-a-up.sql 1-a-down.sql",
        "1_a/up.sql 1_a/down.sql",
        "up/1.sql down/1.sql",
        "001.do.sql 001.undo.sql",
        "0001.sql 0001.rollback.sql",
        "deploy/a.sql revert/a.sql",
        "V1.1__a.sql U1.1__a.sql",
      })
  void aFileOfAFolderThatUndoesAnotherIsNotRead(String names) throws IOException {
    for (String name : names.split(" ")) {
      Files.createDirectories(folder.resolve(name).getParent());
      file(name, TABLE.getBytes(UTF_8));
    }
    Path kept = folder.resolve(names.substring(0, names.indexOf(' ')));
    assertThat(DdlFolder.filesOf(folder)).containsExactly(kept);
    Files.delete(kept);
    assertThat(DdlFolder.filesOf(folder)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sql", "ddl", "sdl", "SDL", "psql", "pgsql"})
  void aFileOfAFolderIsKnownByItsEnding(String ending) throws IOException {
    Path file = file("a." + ending, TABLE.getBytes(UTF_8));
    assertThat(DdlFolder.filesOf(folder)).containsExactly(file);
  }

  @Test
  void linksAreFollowedAndOneToNothingIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("shared"));
    Path shared = file("shared/b.Sql", TABLE.getBytes(UTF_8));
    Path db = Files.createDirectories(folder.resolve("db"));
    Files.createSymbolicLink(db.resolve("a.sql"), shared);
    Files.createSymbolicLink(db.resolve("linked"), folder.resolve("shared"));
    assertThat(DdlFolder.filesOf(db))
        .containsExactly(db.resolve("a.sql"), db.resolve("linked/b.Sql"));
    Path linked = Files.createSymbolicLink(folder.resolve("linked"), db);
    assertThat(DdlFolder.filesOf(linked)).hasSize(2);
    Path broken = Files.createSymbolicLink(db.resolve("c.sql"), folder.resolve("gone.sql"));
    String message = broken + " is a link to a file that is not there";
    assertRefused(broken, message);
    assertThatThrownBy(() -> SchemaAdvisor.ofFiles(db).advice())
        .isInstanceOf(SchemaFileException.class)
        .hasMessage(message);
    Path loop = Files.createSymbolicLink(db.resolve("loop"), db);
    assertThatThrownBy(() -> SchemaAdvisor.ofFiles(db).advice())
        .isInstanceOf(SchemaFileException.class)
        .hasMessageStartingWith(db + " cannot be read: ")
        .hasMessageEndingWith(loop.toString());
  }

  @Test
  void aFileThatIsNoTextIsRefused() throws IOException {
    Path utf16 = file("utf16.sql", TABLE.getBytes(StandardCharsets.UTF_16));
    assertRefused(utf16, utf16 + " is not UTF-8 text");
    Path binary = file("binary.sql", new byte[10]);
    assertRefused(binary, binary + " is not text: it has NUL characters");
  }

  @Test
  void aFileThatIsTooLargeIsRefusedByItsSize() throws IOException {
    Path large = folder.resolve("large.sql");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(100_000_000);
    }
    assertRefused(large, large + " has 100000000 bytes, and the limit is 33554432");
  }

  @Test
  void findingsOfAFileHaveAPlaceAndItsCommentsAreHeeded() throws IOException {
    Path file =
        file(
            "shop.sql",
            ("\n" + TABLE + "\n-- advise:ignore rising-key small\n" + TABLE.replace("T (", "U ("))
                .getBytes(UTF_8));
    Advice advice = SchemaAdvisor.ofFiles(file).advice();
    assertThat(advice.findings())
        .extracting(Finding::object, Finding::place)
        .containsExactly(
            tuple("T", new Place(file, 2, "CREATE TABLE T (Day DATE) PRIMARY KEY (Day)")));
    assertThat(advice.ignored()).extracting(Ignored::reason).containsExactly("small");
  }
}
