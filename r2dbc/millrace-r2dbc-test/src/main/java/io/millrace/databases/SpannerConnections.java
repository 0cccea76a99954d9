package io.millrace.databases;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.r2dbc.SpannerConnectionConfiguration;
import com.google.cloud.spanner.r2dbc.v2.SpannerClientLibraryConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.lang.reflect.Field;

/** Connects the Spanner driver over an existing client. */
public final class SpannerConnections {

  private SpannerConnections() {}

  /**
   * Connects the driver over a client. By itself, the driver finds an emulator only through the
   * environment variable {@code SPANNER_EMULATOR_HOST}, and this process may have started the
   * emulator.
   *
   * @param client the client of the emulator; the caller closes it
   */
  public static ConnectionFactory over(Spanner client, DatabaseId database) {
    SpannerClientLibraryConnectionFactory factory =
        new SpannerClientLibraryConnectionFactory(
            new SpannerConnectionConfiguration.Builder()
                .setFullyQualifiedDatabaseName(database.getName())
                .setCredentials(NoCredentials.getInstance())
                .build());
    try {
      Field field = SpannerClientLibraryConnectionFactory.class.getDeclaredField("spannerClient");
      field.setAccessible(true);
      ((Spanner) field.get(factory)).close();
      field.set(factory, client);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the driver keeps its client elsewhere", e);
    }
    return factory;
  }
}
