package io.millrace.admin;

import io.millrace.internal.ShownText;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStoreBuilder;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import io.r2dbc.spi.ConnectionFactories;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "ddl",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Prints the statements that create the tables. Needs no database.")
final class DdlCommand implements Callable<Integer> {

  private static final Map<String, R2dbcDialect> DIALECTS =
      Map.of(
          "postgresql", R2dbcDialect.POSTGRESQL,
          "h2", R2dbcDialect.H2,
          "mysql", R2dbcDialect.MYSQL,
          "mariadb", R2dbcDialect.MARIADB,
          "spanner", R2dbcDialect.SPANNER,
          "spanner-postgresql", R2dbcDialect.SPANNER_POSTGRESQL);

  enum Format {
    SQL,
    FLYWAY,
    LIQUIBASE
  }

  @Option(
      names = "--dialect",
      required = true,
      paramLabel = "NAME",
      description = "spanner, spanner-postgresql, postgresql, h2, mysql or mariadb.")
  private String dialect;

  @Option(
      names = "--format",
      defaultValue = "sql",
      paramLabel = "FORM",
      description = "sql, flyway or liquibase (default: ${DEFAULT-VALUE}).")
  private String format;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      defaultValue = "sequences",
      description = "The table of the counters (default: ${DEFAULT-VALUE}).")
  private String table;

  @Option(names = "--ledger", paramLabel = "TABLE", description = "The table of the ledger.")
  private @Nullable String ledger;

  @Option(names = "--verbose", description = "Prints the stack trace of an error.")
  boolean verbose;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  DdlCommand() {}

  @Override
  public Integer call() {
    Refusals refusals = new Refusals(spec);
    R2dbcDialect known = DIALECTS.get(dialect);
    if (known == null) {
      throw refusals.refusal(
          "--dialect must be spanner, spanner-postgresql, postgresql, h2, mysql or mariadb, was "
              + ShownText.quote(dialect));
    }
    for (String name : ledger == null ? List.of(table) : List.of(table, ledger)) {
      if (!DatabaseOptions.NAME.matcher(name).matches()) {
        throw refusals.refusal("a table must be NAME or SCHEMA.NAME, was " + ShownText.quote(name));
      }
    }
    spec.commandLine().getOut().println(script(known, form(refusals)));
    spec.commandLine().getOut().flush();
    return Status.GOOD.code();
  }

  private Format form(Refusals refusals) {
    for (Format each : Format.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(format)) {
        return each;
      }
    }
    throw refusals.refusal(
        "--format must be sql, flyway or liquibase, was " + ShownText.quote(format));
  }

  private String script(R2dbcDialect known, Format form) {
    // The store makes the statements, and never connects.
    R2dbcSequenceStoreBuilder builder =
        R2dbcSequenceStore.builder(ConnectionFactories.get("r2dbc:h2:mem:///ddl")).table(table);
    List<String> tables = new ArrayList<>(List.of(known.quote(table)));
    List<String> statements = new ArrayList<>();
    if (ledger != null) {
      builder.ledger(ledger);
      tables.add(0, known.quote(ledger));
    }
    R2dbcSequenceStore store = builder.build();
    statements.add(store.createTableDdl(known));
    if (ledger != null) {
      statements.add(store.createLedgerDdl(known));
    }
    String sql = statements.stream().map(each -> each + ";").collect(Collectors.joining("\n"));
    return switch (form) {
      case SQL -> sql;
      case FLYWAY ->
          "-- Flyway: save it as V1__create_sequences.sql, with the next version\n" + sql;
      case LIQUIBASE ->
          "--liquibase formatted sql\n\n--changeset millrace:create-sequences\n"
              + sql
              + tables.stream()
                  .map(each -> "\n--rollback DROP TABLE " + each + ";")
                  .collect(Collectors.joining());
    };
  }
}
