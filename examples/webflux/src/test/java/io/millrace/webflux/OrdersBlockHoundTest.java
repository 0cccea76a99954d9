package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The service with a watch on the threads that must not block. */
@Tag("blockhound")
@DatabaseTest(DatabaseKind.POSTGRESQL)
class OrdersBlockHoundTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int CLIENTS = 8;
  private static final int ORDERS = 20;
  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void arm() {
    BlockHound.builder()
        .loadIntegrations()
        .blockingMethodCallback(OrdersBlockHoundTest::record)
        .install();
  }

  private static void record(Object method) {
    StringBuilder text = new StringBuilder(Thread.currentThread().getName() + ": " + method);
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      text.append("\n    ").append(frame);
    }
    BLOCKED.add(text.toString());
  }

  @BeforeEach
  void clear() {
    BLOCKED.clear();
  }

  @Test
  void recordsBlockingCall() {
    Mono.fromRunnable(() -> LockSupport.parkNanos(1))
        .subscribeOn(Schedulers.parallel())
        .block(LIMIT);

    assertThat(BLOCKED).isNotEmpty().first().asString().contains("parallel-", "park");
  }

  @Test
  void noRequestBlocksAnEventLoop(R2dbcDatabase database) {
    try (Service service = Service.over(database)) {
      WebClient client = service.client();
      Load load = new Load(client);
      load.run(1, 1).block(LIMIT);
      BLOCKED.clear();

      load.run(CLIENTS, ORDERS).block(LIMIT);
      List<Long> imported =
          client
              .post()
              .uri("/orders/import")
              .contentType(MediaType.APPLICATION_NDJSON)
              .body(
                  Flux.range(0, 1_000)
                      .map(i -> "{\"customer\": \"c\", \"item\": \"i\", \"quantity\": 1}\n"),
                  String.class)
              .retrieve()
              .bodyToFlux(ImportResult.class)
              .mapNotNull(ImportResult::id)
              .collectList()
              .block(LIMIT);
      List<Long> stored = load.stored().collectList().block(LIMIT);
      for (String path : List.of("/actuator/health", "/actuator/metrics")) {
        client.get().uri(path).retrieve().bodyToMono(Map.class).block(LIMIT);
      }

      assertThat(load.unexpected).isEmpty();
      assertThat(load.unavailable).hasValue(0);
      assertThat(imported).hasSize(1_000);
      assertThat(stored).hasSize(1 + CLIENTS * ORDERS + 1_000);
    }
    assertThat(BLOCKED).isEmpty();
  }
}
