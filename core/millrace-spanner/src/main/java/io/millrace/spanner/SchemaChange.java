package io.millrace.spanner;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import com.google.protobuf.Empty;
import com.google.spanner.admin.database.v1.UpdateDatabaseDdlRequest;
import java.time.Duration;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Changes the schema of a database. */
final class SchemaChange {

  private static final Pattern ANOTHER_RUNS =
      Pattern.compile(
          "concurrent schema change|schema change.* in progress", Pattern.CASE_INSENSITIVE);

  /** About a minute. Spanner runs one change at a time. */
  private static final Retry WHILE_ANOTHER_RUNS =
      Retry.backoff(30, Duration.ofMillis(50))
          .maxBackoff(Duration.ofSeconds(2))
          .filter(failure -> ANOTHER_RUNS.matcher(String.valueOf(failure.getMessage())).find())
          .onRetryExhaustedThrow((retry, signal) -> signal.failure());

  private SchemaChange() {}

  /**
   * Runs a statement, and for about a minute again while another change runs. Cancelling does not
   * stop the change. Errors: the client's {@link SpannerException}.
   */
  static Mono<Void> run(DatabaseAdminClient admin, DatabaseId database, String statement) {
    UpdateDatabaseDdlRequest request =
        UpdateDatabaseDdlRequest.newBuilder()
            .setDatabase(database.getName())
            .addStatements(statement)
            .build();
    return ClientRequest.<Empty>of(
            () -> admin.updateDatabaseDdlOperationCallable().futureCall(request))
        .flux()
        .then()
        // The admin client reports errors of another type.
        .onErrorMap(ApiException.class, SpannerExceptionFactory::asSpannerException)
        .retryWhen(WHILE_ANOTHER_RUNS);
  }
}
