package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Struct;
import io.millrace.test.emulator.EmulatorDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A database, and what the tests of all designs do with it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DesignBehaviour {

  /** Texts of rows that are there before, and of those of one second, begin so. */
  static final String BEFORE = "before ";

  static final String NOW = "now ";

  private EmulatorDatabase database;

  /** The emulator refuses comments in GoogleSQL. */
  @BeforeAll
  void createTables(EmulatorDatabase created) throws IOException {
    database = created;
    String file = dialect() == Dialect.POSTGRESQL ? "postgresql.sql" : "googlesql.sql";
    String sql = Files.readString(Path.of("src", "main", "resources", file));
    database.update(sql.replaceAll("(?m)^--.*$", "").strip().split(";\\s*"));
  }

  DatabaseClient client() {
    return database.client();
  }

  Dialect dialect() {
    return database.dialect();
  }

  EmulatorDatabase database() {
    return database;
  }

  /** Writes rows through a pipeline, and checks that as many came out of it. */
  static <T, R> List<R> write(Collection<T> rows, Function<Flux<T>, Flux<R>> insert) {
    List<R> written = all(Flux.fromIterable(rows).transform(insert));
    assertThat(written).hasSameSizeAs(rows).isNotEmpty();
    return written;
  }

  static <T> List<T> all(Flux<T> rows) {
    return Objects.requireNonNull(rows.collectList().block(Duration.ofSeconds(60)));
  }

  static <T> T one(Mono<T> row) {
    return Objects.requireNonNull(row.block(Duration.ofSeconds(60)));
  }

  /** All rows of a table, in the order of its key. */
  List<Struct> table(String name, String... columns) {
    return all(client().singleUse().read(name, KeySet.all(), List.of(columns)));
  }

  /** All entries of an index, in its order. */
  List<Struct> index(String table, String name, String... columns) {
    return all(client().singleUse().readUsingIndex(table, name, KeySet.all(), List.of(columns)));
  }

  private static List<Struct> all(ResultSet results) {
    try (results) {
      List<Struct> rows = new ArrayList<>();
      while (results.next()) {
        rows.add(results.getCurrentRowAsStruct());
      }
      return rows;
    }
  }

  /** Where the rows whose text begins so have gone, among those that were there before. */
  Spread spread(String table, String column, String text) {
    return Spread.among(
        table(table, column).stream()
            .map(row -> row.getString(0))
            .filter(value -> value.startsWith(BEFORE) || value.startsWith(text))
            .map(value -> value.startsWith(text))
            .toList());
  }
}
