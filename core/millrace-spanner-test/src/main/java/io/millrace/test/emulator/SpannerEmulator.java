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
 * A Cloud Spanner emulator that this JVM can use.
 *
 * <p>{@link #find} looks, in this order, for the one that {@code SPANNER_EMULATOR_HOST} names; for
 * gcloud's component, which it starts on a free port; for a Docker engine, in which it starts a
 * container. What it starts serves the whole JVM and ends with it. All methods may block, and may
 * be called by any thread.
 */
public final class SpannerEmulator {

  /** How to get an emulator if {@link #find} finds none: one line to show to people. */
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
        origin + ", each read-write transaction on a session of its own",
        process,
        proxy);
  }

  private boolean losesTransactions() {
    try (EmulatorDatabase database = createDatabase(Dialect.GOOGLE_STANDARD_SQL)) {
      return SharedSession.losesTransactions(host, database.id().getName());
    }
  }

  /**
   * The emulator this JVM uses, found or started at the first call.
   *
   * @return empty if there is none
   * @throws IllegalStateException if there is one and it does not work, at each call. The message
   *     is one line that says where the emulator should be, or names its log. It comes within about
   *     70 seconds
   */
  public static Optional<SpannerEmulator> find() {
    return Shared.PLAIN.get();
  }

  /**
   * An emulator that aborts transactions at random, beside the one that {@link #find} gives. It is
   * always one of this JVM's own.
   *
   * @return empty if none can be started
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
          "SPANNER_EMULATOR_HOST has to be host:port, and is " + ShownText.quote(host), e);
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
   * Returns where the emulator serves gRPC. If the client has no session pool and the emulator is
   * older than 1.5.38, this is a proxy in this JVM, which gives each read-write transaction a
   * session of its own.
   *
   * @return {@code host:port}
   */
  public String host() {
    return host;
  }

  /**
   * Tells where the emulator comes from, for people.
   *
   * @return a short description
   */
  public String origin() {
    return origin;
  }

  /**
   * Returns the client that {@link #createDatabase} uses; it serves all databases of the emulator.
   * Do not close it.
   *
   * @return the shared client
   */
  public Spanner spanner() {
    return spanner;
  }

  /**
   * Builds another client of this emulator, for example one with an interceptor. The caller closes
   * it.
   *
   * @param settings changes the options before they are built
   * @return the new client
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
   * Builds a client with a fixed number of sessions. A request that gets none within 30 seconds
   * fails. The caller closes it. With a version of the client that has no session pool, all
   * requests share one session.
   *
   * @param sessions how many sessions, 1 or more
   * @param forReads whether reads outside transactions take sessions of the pool too, instead of
   *     sharing one
   * @return the new client
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
   * Creates an empty database with a name of its own.
   *
   * @param dialect the dialect of the database
   * @param ddl statements to run in it
   * @return the database; closing it drops it
   */
  public EmulatorDatabase createDatabase(Dialect dialect, String... ddl) {
    return EmulatorDatabase.create(this, PROJECT, INSTANCE, dialect, List.of(ddl));
  }

  /**
   * Keeps the emulator's log when it ends.
   *
   * @return where the log is, empty if this JVM did not start the emulator
   */
  public Optional<Path> keepLog() {
    EmulatorProcess started = process;
    if (started == null) {
      return Optional.empty();
    }
    started.keepLog();
    return Optional.of(started.log());
  }

  /** Ends an emulator that this JVM started, before the JVM ends. Touches no other emulator. */
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
