package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.reactivestreams.Subscription;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

/** Imports with more lines than the service keeps in memory. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LongImportTest {

  private static final int LINES = 20_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A kilobyte in each line that the service ignores. */
  private static final String PADDING = "x".repeat(1_000);

  private Service service;

  @BeforeAll
  void start() {
    service = Service.overH2();
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private static String line(int number) {
    return "{\"customer\": \"c\", \"item\": \"i%d\", \"quantity\": 1, \"note\": \"%s\"}\n"
        .formatted(number, PADDING);
  }

  @Test
  void asksForAtMostTheRowsOfTheGroupsUnderWay() {
    NewOrder order = new NewOrder("c", "i", 1);
    AtomicLong asked = new AtomicLong();
    AtomicLong answered = new AtomicLong();
    AtomicLong most = new AtomicLong();

    Long results =
        service
            .bean(OrderImport.class)
            .results(
                Flux.range(1, LINES)
                    .map(number -> order)
                    .doOnRequest(
                        lines ->
                            most.accumulateAndGet(
                                asked.addAndGet(lines) - answered.get(), Math::max)))
            .doOnNext(result -> answered.incrementAndGet())
            .count()
            .block(LIMIT);

    assertThat(results).isEqualTo(LINES);
    assertThat(most.get()).isBetween(1L, (long) OrderImport.GROUP * OrderImport.CONCURRENCY);
  }

  /** Takes one result, and the others when it is told to. */
  private static final class Reader extends BaseSubscriber<ImportResult> {

    final AtomicInteger taken = new AtomicInteger();
    final Set<Long> ids = ConcurrentHashMap.newKeySet();

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(1);
    }

    @Override
    protected void hookOnNext(ImportResult result) {
      taken.incrementAndGet();
      if (result.status() == ImportResult.Status.COMMITTED && result.id() != null) {
        ids.add(result.id());
      }
    }
  }

  @Test
  void doesNotReadFromClientThatDoesNotReadItsResults() {
    AtomicInteger sent = new AtomicInteger();
    Reader reader = new Reader();
    WebClient.builder()
        .baseUrl(service.url())
        .clientConnector(
            new ReactorClientHttpConnector(
                HttpClient.create()
                    .option(ChannelOption.SO_RCVBUF, SmallBuffers.BYTES)
                    .option(ChannelOption.SO_SNDBUF, SmallBuffers.BYTES)))
        .build()
        .post()
        .uri("/orders/import")
        .contentType(MediaType.APPLICATION_NDJSON)
        .body(
            Flux.range(1, LINES).map(LongImportTest::line).doOnNext(line -> sent.incrementAndGet()),
            String.class)
        .retrieve()
        .bodyToFlux(ImportResult.class)
        .subscribe(reader);

    await().atMost(LIMIT).until(() -> reader.taken.get() == 1);
    AtomicInteger seen = new AtomicInteger();
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> seen.getAndSet(sent.get()) == sent.get());
    assertThat(sent.get()).isLessThan(LINES / 2);

    reader.requestUnbounded();
    await().atMost(LIMIT).until(reader::isDisposed);
    assertThat(reader.ids).hasSize(LINES);
  }
}
