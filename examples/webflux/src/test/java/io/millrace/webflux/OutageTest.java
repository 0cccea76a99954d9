package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The database goes away under load and comes back; the service is not started again. */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class OutageTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int CLIENTS = 20;
  private static final int ENOUGH = 50;

  private static ConditionFactory patiently() {
    return await().atMost(LIMIT).pollInterval(Duration.ofMillis(50));
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

  @Test
  void ordersGoOnAfterTheServerIsStartedAgain() {
    try (PostgresServer server = PostgresServer.start();
        R2dbcDatabase database = server.createDatabase();
        Service service = Service.over(database)) {
      Load load = new Load(service.client());
      Disposable clients = load.runUntilStopped(CLIENTS).subscribe();
      try {
        patiently().until(() -> load.created.get() >= ENOUGH);

        server.stop();
        int before = load.unavailable.get();
        patiently().until(() -> load.unavailable.get() >= before + CLIENTS);
        patiently().untilAsserted(() -> assertThat(health(service)).isEqualTo(503));

        server.startAgain();
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
  }
}
