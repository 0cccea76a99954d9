package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every public method that takes the name of an object of the database refuses a hostile one. */
class HostileNamesTest {

  private static final SpannerSequenceStore STORE =
      SpannerSequenceStore.builder(Proxies.UNUSED).dialect(Dialect.GOOGLE_STANDARD_SQL).build();

  private static final NativeSequenceStore NATIVE =
      NativeSequenceStore.builder(Proxies.UNUSED).dialect(Dialect.POSTGRESQL).build();

  /** A method that takes a name, and whether a schema may stand before that. */
  record Entry(String method, boolean qualified, Consumer<String> use) {
    @Override
    public String toString() {
      return method;
    }
  }

  private static Entry table(String method, Consumer<String> use) {
    return new Entry(method, true, use);
  }

  private static Entry column(String method, Consumer<String> use) {
    return new Entry(method, false, use);
  }

  static List<Entry> entries() {
    return List.of(
        table(
            "SpannerSequenceStoreBuilder.table",
            n -> SpannerSequenceStore.builder(Proxies.UNUSED).table(n)),
        column(
            "SpannerSequenceStoreBuilder.nameColumn",
            name -> SpannerSequenceStore.builder(Proxies.UNUSED).nameColumn(name)),
        column(
            "SpannerSequenceStoreBuilder.valueColumn",
            name -> SpannerSequenceStore.builder(Proxies.UNUSED).valueColumn(name)),
        table("NativeSequenceStore.reserve", name -> NATIVE.reserve(name, 2).block()),
        table("NativeSequenceStore.create", name -> NATIVE.create(name, 1).block()),
        table("NativeSequenceStore.state", name -> NATIVE.state(name).block()),
        table("SpannerInserts.into", n -> SpannerInserts.into(Proxies.UNUSED, n, (row, set) -> {})),
        table("SpannerInserts.mutations", name -> written(Mutation.newInsertBuilder(name))),
        column(
            "SpannerInserts.mutations",
            name -> written(Mutation.newInsertBuilder("t").set(name).to(1))));
  }

  private static void written(Mutation.WriteBuilder row) {
    new RowMapper<Mutation>(List::of, 0, false).map(row.build());
  }

  @ParameterizedTest
  @MethodSource("entries")
  void aHostileNameIsRefusedShortly(Entry entry) {
    for (String name :
        entry.qualified ? HostileNames.REFUSED : HostileNames.refusedForColumns().toList()) {
      Throwable refusal = catchThrowable(() -> entry.use.accept(name));
      assertThat(refusal)
          .as("%s of %s", entry, name.length() > 50 ? name.length() + " characters" : name)
          .isInstanceOf(IllegalArgumentException.class);
      String message = Objects.requireNonNull(refusal.getMessage());
      assertThat(message)
          .hasSizeLessThan(400)
          .doesNotContainPattern("[\\x00-\\x1F\\u200B\\u202E\\u2028\\uFEFF]");
      if (!name.isBlank()) {
        assertThat(message).contains("at most 128 characters");
      }
      if (name.matches("[ -~]{1,40}")) {
        assertThat(message).contains("'" + name + "'");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void namesAreQuotedWhereTheyStandInSql(Dialect dialect) {
    for (String name : HostileNames.ACCEPTED) {
      String mark = dialect == Dialect.POSTGRESQL ? "\"" : "`";
      assertThat(Identifiers.quote(dialect, name)).isEqualTo(mark + name + mark);
      assertThat(Identifiers.quote(dialect, "cat." + name))
          .isEqualTo(mark + "cat" + mark + "." + mark + name + mark);
    }
    for (String name : HostileNames.REFUSED) {
      assertThatThrownBy(() -> Identifiers.quote(dialect, name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Identifiers.literal(dialect, name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** PostgreSQL cuts a longer name without an error, and so would create another object. */
  @Test
  void inPostgreSqlANameHas63Characters() {
    for (String name : List.of("T".repeat(64), "T".repeat(128), "s." + "T".repeat(64))) {
      for (Function<Dialect, Object> use :
          List.<Function<Dialect, Object>>of(
              dialect -> new NativeQueries(name, dialect).create(),
              dialect -> new NativeQueries(name, dialect).values(1),
              dialect -> new NativeQueries(name, dialect).position(),
              dialect -> new SequenceTable(name, "name", "value", 64).ddl(dialect, true),
              dialect ->
                  InsertStatement.of(
                      Mutation.newInsertBuilder(name).set("a").to(1).build(), dialect))) {
        assertThat(use.apply(Dialect.GOOGLE_STANDARD_SQL)).isNotNull();
        assertThatThrownBy(() -> use.apply(Dialect.POSTGRESQL))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(
                "a name has at most 63 characters in a database of PostgreSQL, was 'TTT");
      }
    }
  }
}
