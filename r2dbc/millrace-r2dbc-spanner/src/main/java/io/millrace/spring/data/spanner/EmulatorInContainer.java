package io.millrace.spring.data.spanner;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceConfigId;
import com.google.cloud.spanner.InstanceInfo;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.SpannerOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The Spanner emulator of a test's container.
 *
 * @param endpoint where it serves gRPC, as {@code host:port}
 */
record EmulatorInContainer(String endpoint) {

  private static final DatabaseId DATABASE = DatabaseId.of("test", "test", "test");

  private static final long LIMIT_SECONDS = 60;

  String url() {
    return "r2dbc:cloudspanner://%s/%s?usePlainText=true".formatted(endpoint, DATABASE.getName());
  }

  /**
   * Checks that the environment names this emulator: the R2DBC driver finds an emulator in no other
   * way, and no program can change its own environment.
   */
  void checkNamedBy(Map<String, String> environment) {
    String named = environment.getOrDefault(EmulatorUrl.VARIABLE, "");
    if (!named.equals(endpoint)) {
      throw new IllegalStateException(
          "the container's emulator is at %s, and %s is '%s': Spanner's R2DBC driver connects only to the emulator that this environment variable names. Give the container a fixed port with setPortBindings(List.of(\"9010:9010\")), and run the tests with %s=localhost:9010"
              .formatted(endpoint, EmulatorUrl.VARIABLE, named, EmulatorUrl.VARIABLE));
    }
  }

  /** Creates an instance and an empty GoogleSQL database, unless they exist. Blocks. */
  void createDatabase() {
    try (Spanner spanner =
        SpannerOptions.newBuilder()
            .setProjectId(DATABASE.getInstanceId().getProject())
            .setEmulatorHost(endpoint)
            .setCredentials(NoCredentials.getInstance())
            .build()
            .getService()) {
      create(
          spanner
              .getInstanceAdminClient()
              .createInstance(
                  InstanceInfo.newBuilder(DATABASE.getInstanceId())
                      .setInstanceConfigId(
                          InstanceConfigId.of(
                              DATABASE.getInstanceId().getProject(), "emulator-config"))
                      .setDisplayName("Test")
                      .setNodeCount(1)
                      .build()));
      create(
          spanner
              .getDatabaseAdminClient()
              .createDatabase(
                  DATABASE.getInstanceId().getInstance(), DATABASE.getDatabase(), List.of()));
    }
  }

  private void create(Future<?> creation) {
    try {
      creation.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      SpannerException failure = SpannerExceptionFactory.newSpannerException(e);
      if (failure.getErrorCode() != ErrorCode.ALREADY_EXISTS) {
        throw failure;
      }
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the Spanner emulator at %s did not create %s within %d seconds"
              .formatted(endpoint, DATABASE.getName(), LIMIT_SECONDS),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while " + DATABASE.getName() + " was created", e);
    }
  }
}
