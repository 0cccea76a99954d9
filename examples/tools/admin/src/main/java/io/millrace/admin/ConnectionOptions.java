package io.millrace.admin;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.tools.Refusals;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the database is. */
public class ConnectionOptions {

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** For picocli, which sets the options. */
  @SuppressWarnings("NullAway.Init")
  public ConnectionOptions() {}

  /**
   * A client of Spanner and the database it is for. The caller closes the client.
   *
   * @param client the client
   * @param id the database
   */
  public record SpannerDatabase(Spanner client, DatabaseId id) {}

  final Refusals refusals() {
    return new Refusals(spec);
  }

  /** Whether any option names a database. */
  public final boolean isNamed() {
    return url != null || emulator != null || namesSpanner();
  }

  private boolean namesSpanner() {
    return project != null || instance != null || database != null;
  }

  /**
   * Connects to Spanner if the options name it.
   *
   * @return empty if they do not
   * @throws picocli.CommandLine.ParameterException if they are wrong
   */
  public final Optional<SpannerDatabase> spanner() {
    if (url != null && (namesSpanner() || emulator != null)) {
      throw refusals().refusal("--url and --project, --instance, --database exclude each other");
    }
    return namesSpanner() ? Optional.of(spannerDatabase()) : Optional.empty();
  }

  private SpannerDatabase spannerDatabase() {
    if (project == null || instance == null || database == null) {
      throw refusals().refusal("Spanner needs all of --project, --instance and --database");
    }
    DatabaseId id;
    SpannerOptions.Builder options = SpannerOptions.newBuilder().setProjectId(project);
    try {
      id = DatabaseId.of(project, instance, database);
      if (emulator != null) {
        options.setEmulatorHost(emulator).setCredentials(NoCredentials.getInstance());
      }
    } catch (IllegalArgumentException refused) {
      throw refusals().refusal(Status.line(refused));
    }
    return new SpannerDatabase(options.build().getService(), id);
  }

  /**
   * The driver of the R2DBC URL.
   *
   * @return the connections
   * @throws picocli.CommandLine.ParameterException if there is no URL, or no driver for it
   */
  public final ConnectionFactory connections() {
    String chosen = url == null ? System.getenv(URL_VARIABLE) : url;
    if (chosen == null || chosen.isBlank()) {
      throw refusals()
          .refusal(
              "name a database: --url, or --project, --instance and --database, or "
                  + URL_VARIABLE
                  + " in the environment");
    }
    try {
      return ConnectionFactories.get(chosen);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      // Drivers quote the URL, and may quote its password.
      throw refusals()
          .refusal(
              (url == null ? URL_VARIABLE + " in the environment" : "--url")
                  + " is not the R2DBC URL of a known driver (h2, postgresql, mysql, mariadb,"
                  + " cloudspanner), such"
                  + " as r2dbc:postgresql://USER@HOST:5432/DATABASE");
    }
  }
}
