package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.TcpProxy;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The network between the service and PostgreSQL drops everything and tells nobody. */
@Tag("long")
@DatabaseTest(DatabaseKind.POSTGRESQL)
class SilentNetworkTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Far beyond the service's patience: a request that takes so long was forgotten. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(30);

  private static final int CLIENTS = 20;
  private static final int ENOUGH = 100;

  /** So many lines the log may have of an outage, which fails three times as many requests. */
  private static final int MOST_LINES = 20;

  private final Logged logged = new Logged(Level.WARN);

  private PostgresServer server;
  private TcpProxy proxy;
  private Service service;
  private WebClient client;

  @BeforeEach
  void start() {
    server = PostgresServer.start();
    proxy = new TcpProxy("localhost:" + server.port());
    service =
        Service.start(
            "postgres",
            "r2dbc:postgresql://localhost:" + proxy.port() + "/postgres",
            "--orders.patience=2s",
            "--orders.health-patience=2s",
            "--spring.r2dbc.pool.max-acquire-time=1600ms",
            "--spring.r2dbc.pool.max-create-connection-time=1200ms",
            "--spring.r2dbc.pool.max-validation-time=400ms");
    client = service.client();
    logged.listenTo(Logger.ROOT_LOGGER_NAME);
  }

  @AfterEach
  void stop() {
    logged.stop();
    proxy.mend();
    service.close();
    proxy.close();
    server.close();
  }

  private static ConditionFactory patiently() {
    return await().atMost(LIMIT).pollInterval(Duration.ofMillis(50));
  }

  private Mono<Integer> status(String path) {
    return client
        .get()
        .uri(path)
        .exchangeToMono(answer -> answer.releaseBody().thenReturn(answer.statusCode()))
        .map(HttpStatusCode::value)
        .timeout(FORGOTTEN);
  }

  /** Several at a time, as many as there are connections and more. */
  private List<Integer> statuses(String... paths) {
    return Flux.range(0, CLIENTS)
        .flatMap(i -> Flux.fromArray(paths).flatMap(this::status), CLIENTS)
        .collectList()
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  @Test
  void everyRequestIsAnsweredAndTheServiceGoesOnAfterwards() {
    Load load = new Load(client);
    Disposable clients = load.runUntilStopped(CLIENTS).subscribe();
    try {
      patiently().until(() -> load.created.get() >= ENOUGH);

      proxy.fallSilent();
      int before = load.unavailable.get();
      patiently().until(() -> load.unavailable.get() >= before + 3 * CLIENTS);
      assertThat(statuses("/orders/42", "/orders?limit=100", "/actuator/health")).containsOnly(503);

      proxy.mend();
      int meanwhile = load.created.get();
      patiently().until(() -> load.created.get() >= meanwhile + ENOUGH);
      patiently().untilAsserted(() -> assertThat(statuses("/actuator/health")).containsOnly(200));
      load.stop();
      patiently().until(clients::isDisposed);
    } finally {
      clients.dispose();
    }
    assertThat(load.unexpected).isEmpty();
    assertThat(load.stored().collectList().block(LIMIT))
        .doesNotHaveDuplicates()
        .containsAll(load.placed);
    PoolMetrics pool = service.bean(ConnectionPool.class).getMetrics().orElseThrow();
    patiently().untilAsserted(() -> assertThat(pool.acquiredSize()).isZero());
    assertThat(logged.lines)
        .anySatisfy(line -> assertThat(line).startsWith("The database does not answer"))
        .hasSizeLessThan(MOST_LINES);
  }
}
