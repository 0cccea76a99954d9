package io.millrace.perf;

import com.google.cloud.spanner.SpannerOptions;
import io.millrace.test.emulator.SpannerEmulator;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The emulator of this machine, and the instances that are accessible with the environment's
 * credentials.
 *
 * <p>All modes share one client with the default settings. {@code SequenceClientSettings} would
 * limit a request to 5 seconds. In the modes with a transaction for each value, a request waits
 * longer than that for the row's lock, and the guide's figures include these waits.
 */
final class SpannerPlaces implements Places {

  @Override
  public Optional<Place> emulator(Duration roundTrip) {
    Optional<SpannerEmulator> emulator;
    try {
      emulator = SpannerEmulator.find();
    } catch (IllegalStateException unusable) {
      throw new NoSpannerException(unusable);
    }
    return emulator.map(found -> new EmulatorPlace(found, roundTrip));
  }

  @Override
  public Place instance(
      @Nullable String project, String instance, String database, boolean create) {
    SpannerOptions.Builder options = SpannerOptions.newBuilder();
    if (project != null) {
      options.setProjectId(project);
    }
    return new InstancePlace(
        interceptors -> options.setInterceptorProvider(interceptors).build().getService(),
        instance,
        database,
        create);
  }

  @Override
  public @Nullable String emulatorInstead() {
    String host = System.getenv("SPANNER_EMULATOR_HOST");
    return host == null || host.isBlank() ? null : host;
  }
}
