package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import io.millrace.SequenceStore;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Objects with names that many programs handle wrongly, on each kind of database. */
abstract class HostileNamesBehaviour {

  private EmulatorDatabase database;

  @BeforeEach
  void connect(EmulatorDatabase created) {
    database = created;
  }

  private Dialect dialect() {
    return database.dialect();
  }

  private static <T> T get(Mono<T> one) {
    return Objects.requireNonNull(one.block(Duration.ofSeconds(60)));
  }

  private Set<String> names(String sql) {
    Set<String> found = new TreeSet<>();
    try (ResultSet rows = database.client().singleUse().executeQuery(Statement.of(sql))) {
      while (rows.next()) {
        found.add(rows.getString(0));
      }
    }
    return found;
  }

  /** Every table, column and sequence of the database that is not the server's own. */
  private Set<String> objects() {
    String ours = " WHERE %s IN ('', 'public', 'cat')";
    Set<String> all = new TreeSet<>();
    names("SELECT table_name FROM information_schema.tables" + ours.formatted("table_schema"))
        .forEach(name -> all.add("table " + name));
    names("SELECT column_name FROM information_schema.columns" + ours.formatted("table_schema"))
        .forEach(name -> all.add("column " + name));
    names(
            dialect() == Dialect.POSTGRESQL
                ? "SELECT sequence_name FROM information_schema.sequences"
                    + ours.formatted("sequence_schema")
                : "SELECT name FROM information_schema.sequences" + ours.formatted("schema"))
        .forEach(name -> all.add("sequence " + name));
    return all;
  }

  @Test
  void eachAcceptedNameIsOneObject() {
    Set<String> wanted = new TreeSet<>(objects());
    List<String> ddl = new ArrayList<>(List.of("CREATE SCHEMA cat"));
    for (String name : HostileNames.ACCEPTED) {
      String sequence = shorter(name) + "_s";
      ddl.add(table(schema(name) + name, name));
      ddl.add(new NativeQueries(schema(name) + sequence, dialect()).create());
      Stream.of("table " + name, "column " + name, "sequence " + sequence).forEach(wanted::add);
    }
    database.update(ddl.toArray(String[]::new));
    assertThat(objects()).isEqualTo(wanted);

    for (String name : HostileNames.ACCEPTED) {
      SpannerInserts<Long> mutations =
          SpannerInserts.into(
              database.client(), schema(name) + name, (row, set) -> set.set(name).to(row));
      SpannerInserts<Long> statements =
          SpannerInserts.<Long>into(
                  database.client(), schema(name) + name, (row, set) -> set.set(name).to(row))
              .dml();
      assertThat(Flux.just(1L, 2L).transform(mutations.outcomes()).collectList().block())
          .hasSize(2)
          .allMatch(Committed.class::isInstance);
      assertThat(Flux.just(3L, 4L).transform(statements.outcomes()).collectList().block())
          .hasSize(2)
          .allMatch(Committed.class::isInstance);
      assertThat(new PrimaryKeys(database.client()).columnsOf(schema(name) + name).block())
          .containsExactly(name);
      SequenceStore sequences =
          NativeSequenceStore.builder(database.client()).dialect(dialect()).build();
      assertThat(sequences.reserve(schema(name) + shorter(name) + "_s", 2).block()).isNotNull();
    }
    assertThat(objects()).isEqualTo(wanted);
  }

  private String table(String name, String column) {
    return (dialect() == Dialect.POSTGRESQL
            ? "CREATE TABLE %s (%s bigint PRIMARY KEY)"
            : "CREATE TABLE %1$s (%2$s INT64 NOT NULL) PRIMARY KEY (%2$s)")
        .formatted(Identifiers.quote(dialect(), name), Identifiers.quote(dialect(), column));
  }

  /**
   * In PostgreSQL the emulator finds no table by its 63 characters where a schema is before them.
   */
  private static String schema(String name) {
    return name.length() > 59 ? "" : "cat.";
  }

  /** A name to which two characters can be added. */
  private static String shorter(String name) {
    return name.substring(0, Math.min(name.length(), 61));
  }

  @Test
  void acceptedNamesServeForATableAndItsColumns() {
    for (String name : HostileNames.ACCEPTED) {
      String table = shorter(name) + "_t";
      SpannerSequenceStore store =
          SpannerSequenceStore.builder(database.client())
              .table(table)
              .nameColumn(name)
              .valueColumn(shorter(name) + "_v")
              .build();
      database.update(store.createTableDdl(dialect()));
      store.create("s", 5).block();
      assertThat(store.reserve("s", 2).block()).isNotNull();
      assertThat(get(store.state("s")).nextValue()).isEqualTo(7);
      assertThat(get(store.advanceTo("s", 8)).nextValue()).isEqualTo(8);
      database.update("DROP TABLE " + Identifiers.quote(dialect(), table));
    }
  }

  @Test
  void anyTextIsTheNameOfASequenceThatIsARow() {
    SpannerSequenceStore store = SpannerSequenceStore.builder(database.client()).build();
    database.update(store.createTableDdl(dialect()));
    Set<String> before = objects();
    Set<String> created = new TreeSet<>();
    long start = 10;
    for (String name : HostileNames.REFUSED) {
      boolean unstorable = name.matches(".*[\\p{Cs}\\x00].*");
      if (name.isEmpty() || name.length() > 64 || unstorable) {
        assertThatThrownBy(() -> store.create(name, 1).block())
            .isInstanceOf(IllegalArgumentException.class)
            .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
        continue;
      }
      store.create(name, ++start).block();
      created.add(name);
      assertThat(store.reserve(name, 3).block()).as(name).isNotNull();
      assertThat(get(store.state(name)).nextValue()).as(name).isEqualTo(start + 3);
    }
    assertThat(created).hasSizeGreaterThan(40);
    assertThat(names("SELECT name FROM sequences")).isEqualTo(created);
    assertThat(objects()).isEqualTo(before);
  }

  /** The statement in an error message creates the counter whose absence caused the error. */
  @Test
  void theStatementThatAnErrorShowsCanBeRun() {
    SequenceTable table = new SequenceTable("remedies", "name", "next_value", 64);
    database.update(table.ddl(dialect(), false));
    Set<String> inserted = new TreeSet<>();
    for (String name : HostileNames.REFUSED) {
      if (name.isEmpty() || name.length() > 64 || name.matches(".*[\\p{Cs}\\x00].*")) {
        continue;
      }
      String statement = table.insert(dialect(), name);
      assertThat(statement).doesNotContainPattern("[\\x00-\\x1F\\u200B\\u202E\\u2028\\uFEFF]");
      database
          .client()
          .readWriteTransaction()
          .run(transaction -> transaction.executeUpdate(Statement.of(statement)));
      inserted.add(name);
    }
    assertThat(inserted).hasSizeGreaterThan(40);
    assertThat(names("SELECT name FROM remedies")).isEqualTo(inserted);
  }
}
