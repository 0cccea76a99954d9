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
import com.google.cloud.spanner.SpannerOptions;
import com.google.common.net.HostAndPort;
import io.millrace.internal.ShownText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A Cloud Spanner emulator.
 *
 * <p>{@link #find} uses the first of these that is available: the emulator at {@code
 * SPANNER_EMULATOR_HOST}; gcloud's component, started on a free port; a container, started in a
 * Docker engine. An emulator that it starts is shared by the whole JVM and ends with it. All
 * methods may block, and are thread-safe.
 */
public final class SpannerEmulator {

  /** How to install an emulator if {@link #find} finds none, as one line of text. */
  public static final String HOW_TO_GET =
      "get one with 'gcloud components install cloud-spanner-emulator', or name one in"
          + " SPANNER_EMULATOR_HOST, or start Docker";

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

  /** The emulators of this JVM, found or started at their first use. */
  private static final class Shared {
    static final Search PLAIN = Search.by(SpannerEmulator::look);
  }

  private static final class SharedWithFaults {
    static final Search FAULTS = Search.by(() -> start(true));
  }

  /** What was found, or why it does not work. Every caller gets the reason, not only the first. */
  private record Search(Optional<SpannerEmulator> found, @Nullable IllegalStateException failure) {

    static Search by(Supplier<Optional<SpannerEmulator>> search) {
      try {
        return new Search(search.get(), null);
      } catch (IllegalStateException failure) {
        return new Search(Optional.empty(), failure);
      }
    }

    Optional<SpannerEmulator> get() {
      if (failure != null) {
        throw failure;
      }
      return found;
    }
  }

  /** Time to connect to an emulator; a small machine may need part of it. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Time to open a connection to an emulator that should be running. */
  private static final Duration KNOCK = Duration.ofSeconds(5);

  private final String host;
  private final String origin;
  private final @Nullable EmulatorProcess process;
  private final @Nullable SessionsProxy proxy;
  private final Spanner spanner;

  private SpannerEmulator(
      String host,
      String origin,
      @Nullable EmulatorProcess process,
      @Nullable SessionsProxy proxy) {
    this.host = host;
    this.origin = origin;
    this.process = process;
    this.proxy = proxy;
    this.spanner = connect(UnaryOperator.identity());
    createInstance();
  }

  /**
   * Where the client has no pool of sessions and the emulator loses transactions on multiplexed
   * ones, puts a proxy between them.
   */
  private static SpannerEmulator open(
      String host, String origin, @Nullable EmulatorProcess process) {
    SpannerEmulator emulator = new SpannerEmulator(host, origin, process, null);
    if (ClientSessions.canBePooled()) {
      return emulator;
    }
    boolean losesTransactions = true;
    try {
      losesTransactions = emulator.losesTransactions();
    } finally {
      if (losesTransactions) {
        emulator.spanner.close();
      }
    }
    if (!losesTransactions) {
      return emulator;
    }
    SessionsProxy proxy = SessionsProxy.of(host);
    return new SpannerEmulator(
        proxy.host(),
        origin + ", with a separate session for each read-write transaction",
        process,
        proxy);
  }

  private boolean losesTransactions() {
    try (EmulatorDatabase database = createDatabase(Dialect.GOOGLE_STANDARD_SQL)) {
      return SharedSession.losesTransactions(host, database.id().getName());
    }
  }

  /**
   * Returns the emulator of this JVM, which the first call finds or starts.
   *
   * @return the emulator, or empty if there is none
   * @throws IllegalStateException at each call, within about 70 seconds, if the emulator does not
   *     work. The message is one line with the expected address of the emulator, or its log
   */
  public static Optional<SpannerEmulator> find() {
    return Shared.PLAIN.get();
  }

  /**
   * Returns a second emulator that aborts transactions at random, which is always started by this
   * JVM.
   *
   * @return the emulator, or empty if none can be started
   */
  public static Optional<SpannerEmulator> findWithFaults() {
    return SharedWithFaults.FAULTS.get();
  }

  private static Optional<SpannerEmulator> look() {
    String named = System.getenv("SPANNER_EMULATOR_HOST");
    if (named != null && !named.isBlank()) {
      knock(named);
      return Optional.of(connected(named, "SPANNER_EMULATOR_HOST=" + named, null));
    }
    return start(false);
  }

  /**
   * Fails at once if nothing listens there. The client would not, and would leave threads behind.
   */
  private static void knock(String host) {
    InetSocketAddress place;
    try {
      HostAndPort parsed = HostAndPort.fromString(host);
      place = new InetSocketAddress(parsed.getHost(), parsed.getPort());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IllegalStateException(
          "SPANNER_EMULATOR_HOST must be host:port, was " + ShownText.quote(host), e);
    }
    try (Socket socket = new Socket()) {
      socket.connect(place, (int) KNOCK.toMillis());
    } catch (IOException e) {
      throw noAnswer(host, e.getMessage(), e);
    }
  }

  private static IllegalStateException noAnswer(
      String host, @Nullable String why, @Nullable Throwable cause) {
    return new IllegalStateException(
        "no Spanner emulator answers at SPANNER_EMULATOR_HOST="
            + host
            + " ("
            + why
            + "): start it, or unset the variable",
        cause);
  }

  /** Connects on a thread that does not keep the JVM alive: the client may never come back. */
  private static SpannerEmulator connected(
      String host, String origin, @Nullable EmulatorProcess process) {
    FutureTask<SpannerEmulator> connecting = new FutureTask<>(() -> open(host, origin, process));
    Thread thread = new Thread(connecting, "connect-spanner-emulator");
    thread.setDaemon(true);
    thread.start();
    try {
      return connecting.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw unusable(host, process, "no answer within " + LIMIT.toSeconds() + " seconds", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw unusable(
          host, process, String.valueOf(cause.getMessage()).lines().findFirst().orElse(""), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unusable(host, process, "interrupted", e);
    }
  }

  private static IllegalStateException unusable(
      String host, @Nullable EmulatorProcess process, String why, Throwable cause) {
    if (process == null) {
      return noAnswer(host, why, cause);
    }
    process.keepLog();
    return new IllegalStateException(
        "the Spanner emulator does not work (" + why + "); its log: " + process.log(), cause);
  }

  private static Optional<SpannerEmulator> start(boolean faults) {
    Optional<Path> component = GcloudComponent.executable();
    if (component.isPresent()) {
      EmulatorProcess process =
          EmulatorProcess.start(
              component.get(), faults ? List.of("--enable_fault_injection") : List.of());
      return Optional.of(
          connected(
              "localhost:" + process.port(), "gcloud's emulator, " + component.get(), process));
    }
    if (isPresent("org.testcontainers.containers.SpannerEmulatorContainer")
        && DockerEngine.answers()) {
      String host = DockerEmulator.start(faults);
      return Optional.of(connected(host, "a Docker container", null));
    }
    return Optional.empty();
  }

  static boolean isPresent(String className) {
    try {
      Class.forName(className, false, SpannerEmulator.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Returns the address of the emulator's gRPC service. If the client has no session pool and the
   * emulator is older than 1.5.38, this is a proxy in this JVM that uses a separate session for
   * each read-write transaction.
   *
   * @return {@code host:port}
   */
  public String host() {
    return host;
  }

  /**
   * {@return a short description of the emulator's origin, such as the path of gcloud's component}
   */
  public String origin() {
    return origin;
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
   * Builds a client with a fixed number of sessions. A request that receives none within 30 seconds
   * fails. The caller must close the client. With a version of the client that has no session pool,
   * all requests share one session.
   *
   * @param sessions the number of sessions, 1 or more
   * @param forReads whether reads outside transactions use the pool as well, instead of sharing one
   *     session
   */
  public Spanner connect(int sessions, boolean forReads) {
    SessionPoolOptions pool =
        ClientSessions.pooled(
            builder ->
                (forReads ? ClientSessions.pooledForReads(builder) : builder)
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
          .get();
    } catch (SpannerException e) {
      tolerateExisting(e);
    } catch (ExecutionException e) {
      tolerateExisting(com.google.cloud.spanner.SpannerExceptionFactory.newSpannerException(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating an instance on " + this, e);
    }
  }

  private void tolerateExisting(SpannerException e) {
    if (e.getErrorCode() != ErrorCode.ALREADY_EXISTS) {
      throw new IllegalStateException("cannot create an instance on " + this, e);
    }
  }

  /**
   * Creates a database with a unique name.
   *
   * @param ddl statements to run in it
   * @return the database; closing it drops it
   */
  public EmulatorDatabase createDatabase(Dialect dialect, String... ddl) {
    return EmulatorDatabase.create(this, PROJECT, INSTANCE, dialect, List.of(ddl));
  }

  /**
   * Keeps the emulator's log when the emulator ends.
   *
   * @return the log; empty if this JVM did not start the emulator
   */
  public Optional<Path> keepLog() {
    EmulatorProcess started = process;
    if (started == null) {
      return Optional.empty();
    }
    started.keepLog();
    return Optional.of(started.log());
  }

  /** Stops the emulator if this JVM started it. */
  public void stop() {
    SessionsProxy before = proxy;
    if (before != null) {
      before.close();
    }
    EmulatorProcess started = process;
    if (started != null) {
      started.stop();
    }
  }

  @Override
  public String toString() {
    return "Spanner emulator at " + host + " (" + origin + ")";
  }
}
