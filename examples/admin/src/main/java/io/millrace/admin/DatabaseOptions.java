package io.millrace.admin;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the sequences are. */
final class DatabaseOptions {

  static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)?");

  private static final String URL_VARIABLE = "SEQUENCES_URL";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "The R2DBC URL of a database (default: the environment's "
              + URL_VARIABLE
              + ", which keeps a password out of the list of processes).")
  private @Nullable String url;

  @Option(names = "--project", paramLabel = "ID", description = "Spanner's project.")
  private @Nullable String project;

  @Option(names = "--instance", paramLabel = "ID", description = "Spanner's instance.")
  private @Nullable String instance;

  @Option(names = "--database", paramLabel = "ID", description = "Spanner's database.")
  private @Nullable String database;

  @Option(
      names = "--emulator",
      paramLabel = "HOST:PORT",
      description = "A Spanner emulator (default: the environment's SPANNER_EMULATOR_HOST).")
  private @Nullable String emulator;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      defaultValue = "sequences",
      description = "The table of the counters (default: ${DEFAULT-VALUE}).")
  private String table;

  @Option(
      names = "--ledger",
      paramLabel = "TABLE",
      description = "The table of the ledger, if there is one.")
  private @Nullable String ledger;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = Durations.class,
      description = "How long a request may take, 1ms to 1h (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  DatabaseOptions() {}

  Duration timeout() {
    return timeout;
  }

  boolean hasLedger() {
    return ledger != null;
  }

  /** The counters. {@code defaultLedger} is used if no ledger is named; null for none. */
  Counters open(@Nullable String defaultLedger) {
    Refusals refusals = new Refusals(spec);
    refusals.require("--timeout", timeout, Duration.ofMillis(1), Duration.ofHours(1));
    requireName("--table", table);
    String recorded = ledger == null ? defaultLedger : ledger;
    if (recorded != null) {
      requireName("--ledger", recorded);
    }
    boolean spanner = project != null || instance != null || database != null;
    if (url != null && (spanner || emulator != null)) {
      throw refusals.refusal("--url and --project, --instance, --database exclude each other");
    }
    if (spanner) {
      return spanner(recorded);
    }
    String chosen = url == null ? System.getenv(URL_VARIABLE) : url;
    if (chosen == null || chosen.isBlank()) {
      throw refusals.refusal(
          "name a database: --url, or --project, --instance and --database, or "
              + URL_VARIABLE
              + " in the environment");
    }
    return new R2dbcCounters(connections(chosen), table, recorded);
  }

  private void requireName(String option, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new Refusals(spec).refusal(option + " must be NAME or SCHEMA.NAME, was '" + name + "'");
    }
  }

  private ConnectionFactory connections(String chosen) {
    try {
      return ConnectionFactories.get(chosen);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      // Drivers quote the URL, and may quote its password.
      throw new Refusals(spec)
          .refusal(
              "--url is not the R2DBC URL of a known driver (h2, postgresql, mysql, mariadb), such"
                  + " as r2dbc:postgresql://USER@HOST:5432/DATABASE");
    }
  }

  private Counters spanner(@Nullable String recorded) {
    if (project == null || instance == null || database == null) {
      throw new Refusals(spec).refusal("Spanner needs all of --project, --instance and --database");
    }
    DatabaseId id;
    SpannerOptions.Builder options = SpannerOptions.newBuilder().setProjectId(project);
    try {
      id = DatabaseId.of(project, instance, database);
      if (emulator != null) {
        options.setEmulatorHost(emulator).setCredentials(NoCredentials.getInstance());
      }
    } catch (IllegalArgumentException refused) {
      throw new Refusals(spec).refusal(Status.line(refused));
    }
    Spanner client = options.build().getService();
    return new SpannerCounters(client, id, table, recorded);
  }
}
