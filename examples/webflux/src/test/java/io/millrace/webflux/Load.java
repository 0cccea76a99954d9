package io.millrace.webflux;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Clients that each place one order after another, and the answers to them. */
final class Load {

  /** Shorter than the Retry-After of the service, so the test takes less time. */
  private static final Duration WAIT = Duration.ofMillis(100);

  private static final int PAGE = 5_000;

  private final WebClient client;

  final Set<Long> placed = ConcurrentHashMap.newKeySet();
  final AtomicInteger created = new AtomicInteger();
  final AtomicInteger unavailable = new AtomicInteger();
  final Queue<String> unexpected = new ConcurrentLinkedQueue<>();

  private volatile boolean stopped;

  Load(WebClient client) {
    this.client = client;
  }

  /** Has each client place a number of orders. */
  Mono<Void> run(int clients, int orders) {
    return Flux.range(0, clients)
        .flatMap(number -> place("client " + number).repeat(orders - 1), clients)
        .then();
  }

  /** Has each client place orders until {@link #stop()}. */
  Mono<Void> runUntilStopped(int clients) {
    return Flux.range(0, clients)
        .flatMap(number -> place("client " + number).repeat(() -> !stopped), clients)
        .then();
  }

  void stop() {
    stopped = true;
  }

  private Mono<Void> place(String customer) {
    return client
        .post()
        .uri("/orders")
        .bodyValue(Map.of("customer", customer, "item", "flour", "quantity", 1))
        .exchangeToMono(this::record)
        .onErrorResume(failure -> Mono.fromRunnable(() -> unexpected.add(failure.toString())));
  }

  private Mono<Void> record(ClientResponse answer) {
    return switch (answer.statusCode().value()) {
      case 201 -> {
        created.incrementAndGet();
        yield answer.bodyToMono(Placed.class).doOnNext(order -> placed.add(order.key())).then();
      }
      case 503 -> {
        unavailable.incrementAndGet();
        if (answer.headers().header(HttpHeaders.RETRY_AFTER).isEmpty()) {
          unexpected.add("503 without " + HttpHeaders.RETRY_AFTER);
        }
        yield answer.releaseBody().then(Mono.delay(WAIT)).then();
      }
      default ->
          answer
              .bodyToMono(String.class)
              .defaultIfEmpty("")
              .doOnNext(body -> unexpected.add(answer.statusCode() + " " + body))
              .then();
    };
  }

  /** The ids of all orders there are, page by page. */
  Flux<Long> stored() {
    return page(0)
        .expand(page -> page.size() < PAGE ? Mono.empty() : page(page.get(page.size() - 1)))
        .flatMapIterable(page -> page);
  }

  private Mono<List<Long>> page(long after) {
    return client
        .get()
        .uri("/orders?after={after}&limit={limit}", after, PAGE)
        .retrieve()
        .bodyToFlux(Placed.class)
        .map(Placed::key)
        .collectList();
  }
}
