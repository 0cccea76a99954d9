package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.spanner.Spanner;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.databases.SpannerConnections;
import io.millrace.databases.TcpProxy;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The database goes away under load and comes back; the service is not started again. */
class OutageTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int CLIENTS = 20;
  private static final int ENOUGH = 50;

  private static ConditionFactory patiently() {
    return await().atMost(LIMIT).pollInterval(Duration.ofMillis(50));
  }

  private static void survives(Service service, Runnable goAway, Runnable comeBack) {
    Load load = new Load(service.client());
    Disposable clients = load.runUntilStopped(CLIENTS).subscribe();
    try {
      patiently().until(() -> load.created.get() >= ENOUGH);

      goAway.run();
      int before = load.unavailable.get();
      patiently().until(() -> load.unavailable.get() >= before + CLIENTS);
      patiently().untilAsserted(() -> assertThat(health(service)).isEqualTo(503));

      comeBack.run();
      int meanwhile = load.created.get();
      patiently().until(() -> load.created.get() >= meanwhile + ENOUGH);
      patiently().untilAsserted(() -> assertThat(health(service)).isEqualTo(200));

      load.stop();
      patiently().until(clients::isDisposed);
    } finally {
      clients.dispose();
    }
    assertThat(load.unexpected).isEmpty();
    assertThat(load.placed).hasSize(load.created.get());
    assertThat(load.stored().collectList().block(LIMIT))
        .doesNotHaveDuplicates()
        .containsAll(load.placed);
  }

  private static int health(Service service) {
    return service
        .tester()
        .get()
        .uri("/actuator/health")
        .exchange()
        .returnResult(Void.class)
        .getStatus()
        .value();
  }

  /** As the button of the live page does. */
  @Test
  @Tag("long")
  void ordersGoOnAfterTheSwitch() {
    try (Service service =
        Service.overH2("--orders.live.enabled=true", "--orders.live.outage-limit=5m")) {
      DatabaseSwitch button = service.bean(DatabaseSwitch.class);
      survives(service, button::cut, button::connect);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql {

    @Test
    void ordersGoOnWhenAStoppedServerIsStartedAgain() {
      try (PostgresServer server = PostgresServer.start();
          R2dbcDatabase database = server.createDatabase();
          Service service = Service.over(database)) {
        survives(service, server::stop, server::startAgain);
      }
    }
  }

  @Nested
  @SpannerTest
  @Tag("long")
  class OverSpanner {

    @Test
    void ordersGoOnWhenConnectionsThatWereCutCanBeMadeAgain(EmulatorDatabase database) {
      SpannerEmulator emulator = database.emulator();
      try (TcpProxy proxy = new TcpProxy(emulator.host());
          Spanner client =
              emulator.connect(options -> options.setEmulatorHost("localhost:" + proxy.port()));
          Service service =
              Service.start(
                  "spanner",
                  GivenConnections.url(SpannerConnections.over(client, database.id())),
                  "--orders.patience=2s")) {
        survives(service, proxy::cut, proxy::mend);
      }
    }
  }
}
