package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Spanner;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceReservationException;
import io.millrace.databases.TcpProxy;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A client with {@link SequenceClientSettings}, during an outage of the network and after it. */
@SpannerTest
class SpannerOutageTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration OUTAGE = REQUEST_TIMEOUT.multipliedBy(3);
  private static final int SESSIONS = 2;
  private static final String SEQUENCE = "s";
  private static final String WITHOUT_POOL = "without a pool, requests wait for the one session";

  /** More than there are sessions: each failed reservation has to return its session. */
  private static final int FAILURES = SESSIONS + 2;

  private final AtomicInteger values = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();

  /** The messages of the latest outage's errors. */
  private final Queue<String> reasons = new ConcurrentLinkedQueue<>();

  private ProxiedClient proxied;
  private TcpProxy proxy;
  private DatabaseClient client;

  @BeforeAll
  static void createTheSequence(EmulatorDatabase database) {
    SpannerSequenceStore store = SpannerSequenceStore.create(database.client());
    database.update(store.createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    store.create(SEQUENCE, 1).block(LIMIT);
  }

  @BeforeEach
  void connect(EmulatorDatabase database) {
    proxied = new ProxiedClient(database, REQUEST_TIMEOUT, SESSIONS);
    proxy = proxied.proxy();
    client = proxied.client();
  }

  @AfterEach
  void disconnect() {
    proxied.close();
  }

  private static ConditionFactory patiently() {
    return await().atMost(LIMIT);
  }

  private SequenceGenerator generator(DatabaseClient client, Duration reservationTimeout) {
    return SequenceGenerator.builder(SpannerSequenceStore.create(client), SEQUENCE)
        .blockSize(1)
        .reservationTimeout(reservationTimeout)
        .backoff(Duration.ofMillis(10), Duration.ofMillis(100), 0, 1)
        .build();
  }

  /** Takes values one after the other, also after errors. */
  private Disposable take(SequenceGenerator generator) {
    return Mono.defer(generator::next)
        .doOnNext(value -> values.incrementAndGet())
        .doOnError(
            failure -> {
              reasons.add(String.valueOf(failure.getMessage()));
              failures.incrementAndGet();
            })
        .onErrorComplete()
        .then(Mono.delay(Duration.ofMillis(10)))
        .repeat()
        .subscribe();
  }

  private void goesOnAfter(Runnable outage, Duration reservationTimeout, String reason)
      throws Exception {
    Disposable taking = take(generator(client, reservationTimeout));
    try {
      patiently().until(() -> values.get() > 0);
      outage.run();
      reasons.clear();
      int failed = failures.get();
      patiently().until(() -> failures.get() >= failed + FAILURES);
      assertThat(reasons).anySatisfy(text -> assertThat(text).contains(reason));
      int before = values.get();
      proxy.mend();
      patiently().until(() -> values.get() > before);
    } finally {
      taking.dispose();
    }
    patiently().untilAsserted(() -> assertThat(proxied.obtainableSessions()).isEqualTo(SESSIONS));
  }

  @Test
  void valuesComeAgainAfterTheNetworkFellSilentAndNoSessionIsLost() throws Exception {
    goesOnAfter(proxy::fallSilent, REQUEST_TIMEOUT.multipliedBy(5), "DEADLINE_EXCEEDED");
  }

  @Test
  void valuesComeAgainIfTheGeneratorTimesOutFirst() throws Exception {
    goesOnAfter(proxy::fallSilent, REQUEST_TIMEOUT.dividedBy(2), "reservationTimeout");
  }

  @Test
  void valuesComeAgainAfterConnectionsWereCutAndNoSessionIsLost() throws Exception {
    goesOnAfter(proxy::cut, REQUEST_TIMEOUT.multipliedBy(5), "UNAVAILABLE");
  }

  @Test
  void aClientBuiltWhileConnectionsWereCutWorksAfterwards(EmulatorDatabase database) {
    aClientBuiltDuring(proxy::cut, database);
  }

  @Test
  void aClientBuiltWhileTheNetworkWasSilentWorksAfterwards(EmulatorDatabase database) {
    aClientBuiltDuring(proxy::fallSilent, database);
  }

  /**
   * Outside a transaction, and inside one if there is no pool of sessions, the client uses a
   * session that it creates once, when it is built.
   */
  private void aClientBuiltDuring(Runnable outage, EmulatorDatabase database) {
    outage.run();
    try (Spanner early = proxied.connect(proxy.port())) {
      SpannerSequenceStore store =
          SpannerSequenceStore.create(early.getDatabaseClient(database.id()));
      SequenceGenerator generator =
          generator(early.getDatabaseClient(database.id()), REQUEST_TIMEOUT.dividedBy(2));
      assertThatThrownBy(() -> store.state(SEQUENCE).timeout(OUTAGE).block(LIMIT)).isNotNull();
      assertThatThrownBy(() -> generator.next().block(LIMIT))
          .isInstanceOf(SequenceReservationException.class);
      proxy.mend();

      patiently()
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(store.state(SEQUENCE).timeout(OUTAGE).block(LIMIT)).isNotNull();
                assertThat(generator.next().block(LIMIT)).isPositive();
              });
    }
  }

  /** Without a pool, requests wait for the session that the client shares, and learn no reason. */
  static boolean thereIsAPoolOfSessions() {
    try {
      Class.forName("com.google.cloud.spanner.SessionPoolAsyncTransactionManager");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  @EnabledIf(value = "thereIsAPoolOfSessions", disabledReason = WITHOUT_POOL)
  void whereNothingListensTheErrorNamesTheAddress(EmulatorDatabase database) throws IOException {
    int port;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = unused.getLocalPort();
    }
    try (Spanner away = proxied.connect(port)) {
      SequenceGenerator generator = generator(away.getDatabaseClient(database.id()), LIMIT);

      assertThatThrownBy(() -> generator.next().block(LIMIT))
          .isInstanceOf(SequenceReservationException.class)
          .hasMessageContaining("UNAVAILABLE")
          .hasStackTraceContaining("Connection refused: localhost")
          .hasStackTraceContaining(":" + port);
    }
  }
}
