package io.millrace.spanner;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import com.google.protobuf.Empty;
import com.google.spanner.admin.database.v1.UpdateDatabaseDdlRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Changes the schema of a database. */
final class SchemaChange {

  private SchemaChange() {}

  /**
   * Runs the statements, and again while another change is under way. Cancelling does not stop the
   * change. Errors: {@link SpannerException}.
   */
  static Mono<Void> run(DatabaseAdminClient admin, DatabaseId database, List<String> statements) {
    UpdateDatabaseDdlRequest request =
        UpdateDatabaseDdlRequest.newBuilder()
            .setDatabase(database.getName())
            .addAllStatements(statements)
            .build();
    return FutureMono.<@Nullable Empty>detached(
            () -> admin.updateDatabaseDdlOperationCallable().futureCall(request))
        .then()
        // The admin client reports errors of another type.
        .onErrorMap(ApiException.class, SpannerExceptionFactory::asSpannerException)
        .retryWhen(NativeSequenceStore.WHEN_SCHEMA_IS_CHANGING);
  }
}
