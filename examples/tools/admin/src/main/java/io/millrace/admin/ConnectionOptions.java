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

/** The options that select a database. */
public class ConnectionOptions {

  private static final String URL_VARIABLE = "SEQUENCES_URL";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "The R2DBC URL of a database (default: the environment variable "
              + URL_VARIABLE
              + ", which keeps a password out of the process list).")
  private @Nullable String url;

  @Option(names = "--project", paramLabel = "ID", description = "The Spanner project.")
  private @Nullable String project;

  @Option(names = "--instance", paramLabel = "ID", description = "The Spanner instance.")
  private @Nullable String instance;

  @Option(names = "--database", paramLabel = "ID", description = "The Spanner database.")
  private @Nullable String database;

  @Option(
      names = "--emulator",
      paramLabel = "HOST:PORT",
      description =
          "The Spanner emulator (default: the environment variable SPANNER_EMULATOR_HOST).")
  private @Nullable String emulator;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** For picocli, which sets the options. */
  @SuppressWarnings("NullAway.Init")
  public ConnectionOptions() {}

  /**
   * A Spanner client and a database. The caller closes the client.
   *
   * @param client the client
   * @param id the database
   */
  public record SpannerDatabase(Spanner client, DatabaseId id) {}

  final Refusals refusals() {
    return new Refusals(spec);
  }

  /** Returns whether any option selects a database. */
  public final boolean isNamed() {
    return url != null || emulator != null || namesSpanner();
  }

  private boolean namesSpanner() {
    return project != null || instance != null || database != null;
  }

  /**
   * Connects to Spanner if the options select it.
   *
   * @return the database, or empty if the options do not select Spanner
   * @throws picocli.CommandLine.ParameterException if the options are invalid
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
   * Returns the connection factory for the R2DBC URL.
   *
   * @return the connection factory
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
