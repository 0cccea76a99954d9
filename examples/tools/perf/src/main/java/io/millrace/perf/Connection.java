package io.millrace.perf;

import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import java.util.function.Function;

/**
 * Clients of Spanner whose requests are counted.
 *
 * @param spanner the client for data
 * @param admin the client for schemas
 * @param requests counts the requests of both
 */
record Connection(Spanner spanner, DatabaseAdminClient admin, RequestCounter requests)
    implements AutoCloseable {

  /**
   * Connects.
   *
   * @param connect makes a client with the given interceptors
   */
  static Connection open(Function<SpannerInterceptorProvider, Spanner> connect) {
    RequestCounter requests = new RequestCounter();
    Spanner spanner = connect.apply(SpannerInterceptorProvider.createDefault().with(requests));
    try {
      return new Connection(spanner, spanner.createDatabaseAdminClient(), requests);
    } catch (RuntimeException | Error e) {
      spanner.close();
      throw e;
    }
  }

  @Override
  public void close() {
    try (spanner) {
      admin.close();
    }
  }
}
