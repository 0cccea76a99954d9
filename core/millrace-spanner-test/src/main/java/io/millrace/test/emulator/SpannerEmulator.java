package io.millrace.test.emulator;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceConfigId;
import com.google.cloud.spanner.InstanceId;
import com.google.cloud.spanner.InstanceInfo;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.SpannerOptions;
import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A Cloud Spanner emulator: the one at {@code SPANNER_EMULATOR_HOST}, or else gcloud's component,
 * started on a free port, shared by the whole JVM and ended with it. All methods may block.
 */
public final class SpannerEmulator {

  /** How to install an emulator if {@link #find} finds none, as one line of text. */
  public static final String HOW_TO_GET =
      "get one with 'gcloud components install cloud-spanner-emulator', or name one in"
          + " SPANNER_EMULATOR_HOST";

  private static final String PROJECT = "millrace";
  private static final String INSTANCE = "millrace-tests";

  /** Loggers of the client that print its options, held here so that their levels last. */
  private static final List<Logger> TALKATIVE =
      List.of(
          Logger.getLogger("com.google.cloud.grpc.GcpManagedChannel"),
          Logger.getLogger("com.google.cloud.spanner.SpannerImpl"));

  static {
    TALKATIVE.forEach(logger -> logger.setLevel(Level.WARNING));
  }

  /** Time to connect to an emulator; a small machine may need part of it. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static @Nullable SpannerEmulator shared;
  private static @Nullable SpannerEmulator sharedWithFaults;

  private final String host;
  private final String origin;
  private final @Nullable EmulatorProcess process;
  private final @Nullable SessionsProxy proxy;
  private final Spanner spanner;

  /** Without a pool of sessions in the client, puts a proxy before the emulator. */
  private SpannerEmulator(String address, String origin, @Nullable EmulatorProcess process) {
    this.proxy = ClientSessions.canBePooled() ? null : SessionsProxy.of(address);
    this.host = proxy == null ? address : proxy.host();
    this.origin = origin;
    this.process = process;
    this.spanner = connect(UnaryOperator.identity());
    createInstance();
  }

  /**
   * Returns the emulator of this JVM, which the first call finds or starts.
   *
   * @return the emulator, or empty if there is none
   * @throws IllegalStateException if the emulator does not work; the message is one line
   */
  public static synchronized Optional<SpannerEmulator> find() {
    if (shared == null) {
      String named = System.getenv("SPANNER_EMULATOR_HOST");
      if (named != null && !named.isBlank()) {
        knock(named);
        try {
          shared = new SpannerEmulator(named, "SPANNER_EMULATOR_HOST=" + named, null);
        } catch (SpannerException e) {
          throw noAnswer(named, e);
        }
      } else {
        shared = start(List.of());
      }
    }
    return Optional.ofNullable(shared);
  }

  /**
   * Returns a second emulator that aborts transactions at random, which is always started by this
   * JVM.
   *
   * @return the emulator, or empty if none can be started
   */
  public static synchronized Optional<SpannerEmulator> findWithFaults() {
    if (sharedWithFaults == null) {
      sharedWithFaults = start(List.of("--enable_fault_injection"));
    }
    return Optional.ofNullable(sharedWithFaults);
  }

  /** Fails at once if nothing listens there. The client would retry. */
  private static void knock(String host) {
    InetSocketAddress place;
    try {
      HostAndPort parsed = HostAndPort.fromString(host);
      place = new InetSocketAddress(parsed.getHost(), parsed.getPort());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IllegalStateException("SPANNER_EMULATOR_HOST must be host:port, was " + host, e);
    }
    try (Socket socket = new Socket()) {
      socket.connect(place, 5_000);
    } catch (IOException e) {
      throw noAnswer(host, e);
    }
  }

  private static IllegalStateException noAnswer(String host, Exception failure) {
    String why = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return new IllegalStateException(
        "no Spanner emulator answers at SPANNER_EMULATOR_HOST="
            + host
            + (" (" + why + "): start it, or unset the variable"),
        failure);
  }

  private static @Nullable SpannerEmulator start(List<String> flags) {
    Path component = EmulatorProcess.component();
    if (component == null) {
      return null;
    }
    EmulatorProcess process = EmulatorProcess.start(component, flags);
    return new SpannerEmulator(
        "localhost:" + process.port(), "gcloud's emulator, " + component, process);
  }

  /** {@return the address of the emulator, or of the proxy before it, as {@code host:port}} */
  public String host() {
    return host;
  }

  /** {@return the shared client for all databases of the emulator, which must not be closed} */
  public Spanner spanner() {
    return spanner;
  }

  /**
   * Builds another client of this emulator, for example with an interceptor. The caller must close
   * it.
   *
   * @param settings changes the options before they are built
   */
  public Spanner connect(UnaryOperator<SpannerOptions.Builder> settings) {
    SpannerOptions.Builder options =
        SpannerOptions.newBuilder()
            .setProjectId(PROJECT)
            .setEmulatorHost(host)
            .setCredentials(NoCredentials.getInstance())
            .setSessionPoolOption(ClientSessions.pooled(builder -> builder.setMinSessions(0)));
    return settings.apply(options).build().getService();
  }

  /**
   * Builds a client with a fixed number of sessions for read-write transactions. A request that
   * receives none within 30 seconds fails. The caller must close the client. With a version of the
   * client that has no session pool, all requests share one session.
   *
   * @param sessions the number of sessions, 1 or more
   */
  public Spanner connect(int sessions) {
    SessionPoolOptions pool =
        ClientSessions.pooled(
            builder ->
                builder
                    .setMinSessions(sessions)
                    .setMaxSessions(sessions)
                    .setAcquireSessionTimeoutDuration(Duration.ofSeconds(30)));
    return connect(options -> options.setSessionPoolOption(pool));
  }

  private void createInstance() {
    try {
      spanner
          .getInstanceAdminClient()
          .createInstance(
              InstanceInfo.newBuilder(InstanceId.of(PROJECT, INSTANCE))
                  .setInstanceConfigId(InstanceConfigId.of(PROJECT, "emulator-config"))
                  .setDisplayName("Millrace")
                  .setNodeCount(1)
                  .build())
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating an instance on " + this, e);
    } catch (Exception e) {
      SpannerException failure = SpannerExceptionFactory.newSpannerException(e);
      if (failure.getErrorCode() != ErrorCode.ALREADY_EXISTS) {
        keepLog();
        throw failure;
      }
    }
  }

  /**
   * Creates a database with a unique name.
   *
   * @param ddl statements to run in it
   * @return the database; closing it drops it
   */
  public EmulatorDatabase createDatabase(Dialect dialect, String... ddl) {
    return EmulatorDatabase.create(this, PROJECT, INSTANCE, dialect, ddl);
  }

  /**
   * Keeps the emulator's log when the emulator ends.
   *
   * @return the log; empty if this JVM did not start the emulator
   */
  Optional<Path> keepLog() {
    return Optional.ofNullable(process).map(EmulatorProcess::keepLog);
  }

  /** Stops the emulator if this JVM started it. */
  public void stop() {
    if (proxy != null) {
      proxy.close();
    }
    if (process != null) {
      process.stop();
    }
  }

  @Override
  public String toString() {
    return "Spanner emulator at " + host + " (" + origin + ")";
  }
}
