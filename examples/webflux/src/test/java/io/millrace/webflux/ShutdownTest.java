package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.key.BitReversal;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The service is stopped while somebody waits for an id. */
class ShutdownTest {

  private static final Duration LATENCY = Duration.ofSeconds(1);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("order_id", 1);

  private static ConditionFactory patiently() {
    return await().atMost(Service.PATIENCE);
  }

  private Service start() {
    ApplicationContextInitializer<GenericApplicationContext> ownStore =
        context -> {
          context.registerBean(
              SequenceStore.class, () -> store, definition -> definition.setPrimary(true));
          context.registerBean( // of the invoices
              R2dbcSequenceStore.class,
              () -> invoiceStore(context.getBean(ConnectionFactory.class)));
        };
    return Service.overH2(
        ownStore,
        Service.LAST_ANSWERS_ARE_READ,
        "--millrace.create-table=false",
        "--millrace.sequences.order_id.create=false",
        "--millrace.sequences.order_id.warmup=false",
        "--millrace.sequences.order_id.acquire-timeout=1m");
  }

  private static R2dbcSequenceStore invoiceStore(ConnectionFactory connections) {
    R2dbcSequenceStore invoices = R2dbcSequenceStore.create(connections);
    invoices.createTable().block(Service.PATIENCE);
    return invoices;
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void servesRequestThatWaitsForAnIdAndReleasesTheRest() {
    try (Service service = start()) {
      long before = store.releases();
      store.latency(LATENCY, time);
      int port = service.port();
      Load load = new Load(service.client());
      CompletableFuture<Void> request = load.run(1, 1).toFuture();
      patiently().until(() -> store.reservations() == 1);
      store.latency(Duration.ZERO); // of what comes after it

      CompletableFuture<Void> stopped = CompletableFuture.runAsync(service::stop);
      patiently().until(() -> !listens(port));
      assertThat(request).isNotDone();

      time.advanceTimeBy(LATENCY);
      patiently().until(request::isDone);
      assertThat(load.unexpected).isEmpty();
      assertThat(load.placed).containsExactly(BitReversal.PRESERVING_SIGN.apply(1L));

      patiently().until(stopped::isDone);
      assertThat(store.releases()).isEqualTo(before + 1);
      assertThat(store.state("order_id").blockOptional(Service.PATIENCE))
          .hasValueSatisfying(state -> assertThat(state.nextValue()).isEqualTo(2));
    }
  }

  @Test
  void answersRequestsThatComeTooLateForAnIdWith503() {
    try (Service service = start()) {
      service.bean(SequenceGenerators.class).disposeLater().block(Service.PATIENCE);
      service
          .tester()
          .post()
          .uri("/orders")
          .bodyValue(Map.of("customer", "Ada", "item", "tea", "quantity", 1))
          .exchange()
          .expectStatus()
          .isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
          .expectHeader()
          .exists(HttpHeaders.RETRY_AFTER);
    }
  }
}
