package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.webflux.LiveState.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.MediaType;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.subscriber.TestSubscriber;

/** The stream of the live page, its load and its outage. */
class LiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Service live(String... more) {
    return live(context -> {}, more);
  }

  private static Service live(
      ApplicationContextInitializer<GenericApplicationContext> preparation, String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "--orders.live.enabled=true";
    arguments[1] = "--orders.live.interval=50ms";
    arguments[2] = "--server.shutdown=immediate";
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Service.overH2(preparation, arguments);
  }

  private static Flux<LiveState> states(Service service) {
    return service
        .client()
        .get()
        .uri("/live/events")
        .accept(MediaType.TEXT_EVENT_STREAM)
        .retrieve()
        .bodyToFlux(LiveState.class);
  }

  private static LiveState awaitState(Service service, Predicate<LiveState> wanted) {
    return Objects.requireNonNull(states(service).filter(wanted).blockFirst(LIMIT));
  }

  private static void put(Service service, String path) {
    service.tester().put().uri(path).exchange().expectStatus().isNoContent();
  }

  private static void delete(Service service, String path) {
    service.tester().delete().uri(path).exchange().expectStatus().isNoContent();
  }

  private static int place(Service service) {
    return service
        .tester()
        .post()
        .uri("/orders")
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue("{\"customer\": \"Ann\", \"item\": \"flour\", \"quantity\": 3}")
        .exchange()
        .returnResult()
        .getStatus()
        .value();
  }

  @Test
  void withoutThePageTheRootListsTheRequests() {
    try (Service service = Service.overH2()) {
      for (String path : List.of("/live", "/live/events", "/live/files/live.js")) {
        service.tester().get().uri(path).exchange().expectStatus().isNotFound();
      }
      service.tester().put().uri("/live/outage").exchange().expectStatus().isNotFound();
      assertThat(place(service)).isEqualTo(201);
      String page = get(service, "/");
      assertThat(page).contains("POST /orders");
      List<String> links =
          Pattern.compile("href=\"(/[^\"]*)\"")
              .matcher(page)
              .results()
              .map(link -> link.group(1))
              .toList();
      assertThat(links).hasSizeGreaterThan(2);
      links.forEach(link -> get(service, link));
    }
  }

  @Test
  void theLoadEndsByItself() {
    try (Service service = live("--orders.live.load-limit=1s")) {
      assertThat(place(service)).isEqualTo(201); // the load finds connections and values
      put(service, "/live/load");
      awaitState(service, state -> state.placed() > 0 && !state.loading());
    }
  }

  @Test
  void anOpenPageAndALoadDoNotHoldUpTheEnd() {
    Service service = Service.overH2(Service.LAST_ANSWERS_ARE_READ, "--orders.live.enabled=true");
    put(service, "/live/load");
    StepVerifier.create(states(service).doOnNext(first -> new Thread(service::stop).start()))
        .thenConsumeWhile(state -> true)
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void anOutageEndsByItselfAndTheLoadGoesOn() {
    try (Service service = live("--orders.patience=2s", "--orders.live.outage-limit=1s")) {
      put(service, "/live/load");
      awaitState(service, state -> state.placed() > 0);
      put(service, "/live/outage");
      LiveState out = awaitState(service, state -> state.failed() > 0);
      awaitState(service, state -> !state.cut() && state.placed() > out.placed());
    }
  }

  private static String get(Service service, String path) {
    return Objects.requireNonNullElse(
        service
            .tester()
            .get()
            .uri(path)
            .header("Accept", "text/html, */*")
            .exchange()
            .expectStatus()
            .isOk()
            .expectBody(String.class)
            .returnResult()
            .getResponseBody(),
        "");
  }

  @Test
  void theKeysAreThoseOfAllStoredOrders() {
    try (Service service = live("--orders.patience=2s")) {
      put(service, "/live/outage");
      assertThat(place(service)).isEqualTo(503);
      assertThat(rows(awaitState(service, each -> true))).isZero();
      delete(service, "/live/outage");
      await().atMost(LIMIT).until(() -> place(service) == 201);
      service
          .tester()
          .post()
          .uri("/orders/import")
          .contentType(MediaType.APPLICATION_NDJSON)
          .bodyValue(
              """
              {"customer": "Bob", "item": "oats", "quantity": 1}
              {"customer": "Bob", "item": "oats", "quantity": -1}
              {"customer": "Bob", "item": "oats", "quantity": 2}
              """)
          .exchange()
          .expectStatus()
          .isOk()
          .expectBody(String.class)
          .returnResult();
      LiveState state = awaitState(service, each -> true);
      assertThat(state.placed()).isZero();
      assertThat(rows(state)).isEqualTo(3);
      put(service, "/live/load");
      awaitState(service, each -> each.placed() > 20);
      delete(service, "/live/load");
      awaitState(service, each -> !each.loading());
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(service.bean(Orders.class).count().block(LIMIT))
                      .isEqualTo(rows(awaitState(service, each -> true))));
    }
  }

  private static int rows(LiveState state) {
    assertThat(sum(state.keys().plain())).isEqualTo(sum(state.keys().reversed()));
    return sum(state.keys().sharded());
  }

  private static int sum(List<Integer> counts) {
    return counts.stream().mapToInt(count -> count).sum();
  }

  /** Few values, of which the last attempt to get more keeps failing for a while. */
  private static final String[] SMALL = {
    "--orders.patience=1s",
    "--orders.live.outage-limit=1h",
    "--millrace.sequences.order_id.block-size=20",
    "--millrace.sequences.order_id.low-watermark=5"
  };

  private static void slowBackoff(GenericApplicationContext context) {
    Duration delay = Duration.ofSeconds(5);
    context.registerBean(
        SequenceGeneratorBuilderCustomizer.class,
        () -> (name, builder) -> builder.backoff(delay, delay, 0.5, 5));
  }

  @Test
  void theIdsOfTheBufferAreIssuedWhileTheDatabaseIsCutOff() {
    try (Service service = live(LiveTest::slowBackoff, SMALL)) {
      LiveState idle = awaitState(service, state -> sequence(state).buffered() == 20);
      assertThat(idle.outage()).isNull();
      put(service, "/live/outage");
      assertThat(awaitState(service, state -> true).outage())
          .isEqualTo(new LiveOutage.Counts(0, 0));
      put(service, "/live/load");
      LiveState empty = awaitState(service, state -> state.failed() > 20);
      assertThat(empty.placed()).isZero();
      assertThat(empty.outage()).isEqualTo(new LiveOutage.Counts(20, empty.failed()));
      delete(service, "/live/load");
      LiveState end = awaitState(service, state -> !state.loading());
      delete(service, "/live/outage");
      put(service, "/live/load");
      LiveState later = awaitState(service, state -> state.placed() > 20);
      assertThat(later.outage()).isEqualTo(end.outage());
    }
  }

  @Test
  void theStateOfASequenceFollowsAnOutageAndIsGoodAfterItWithoutAnOrder() {
    try (Service service = live(LiveTest::slowBackoff, SMALL)) {
      awaitState(service, state -> sequence(state).condition() == Condition.GOOD);
      put(service, "/live/outage");
      put(service, "/live/load");
      LiveState failing = awaitState(service, state -> sequence(state).buffered() == 0);
      assertThat(sequence(failing).condition()).isEqualTo(Condition.CUT_OFF);
      awaitState(service, state -> state.failed() > 20);
      delete(service, "/live/load");
      delete(service, "/live/outage");
      awaitState(service, state -> sequence(state).condition() == Condition.RECOVERING);
      LiveState good = awaitState(service, state -> sequence(state).condition() == Condition.GOOD);
      assertThat(good.placed()).isZero();
    }
  }

  private static LiveState.Sequence sequence(LiveState state) {
    return state.sequences().get(0);
  }

  /** The tests that need no first values and no limits of their own. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @SuppressWarnings("NullAway.Init") // set before all tests
  class InOneService {

    private Service service;

    @BeforeAll
    void start() {
      service =
          live(
              "--orders.patience=2s",
              "--millrace.sequences.order_id.block-size=100",
              "--millrace.sequences.order_id.low-watermark=20");
    }

    @AfterAll
    void stop() {
      service.close();
    }

    @Test
    void theLoadMovesTheNumbersAndIsStoppedTwiceWithoutHarm() {
      assertThat(awaitState(service, state -> true).loading()).isFalse();
      put(service, "/live/load");
      LiveState busy = awaitState(service, state -> state.placed() > 300);
      assertThat(busy.loading()).isTrue();
      assertThat(busy.sequences())
          .singleElement()
          .satisfies(
              sequence -> {
                assertThat(sequence.name()).isEqualTo(Order.SEQUENCE);
                assertThat(sequence.issued()).isGreaterThanOrEqualTo(busy.placed());
                assertThat(sequence.reservations()).isGreaterThan(1);
              });
      assertThat(busy.keys().plain().get(0)).isGreaterThan(200);
      assertThat(busy.keys().reversed()).doesNotContain(0);
      delete(service, "/live/load");
      delete(service, "/live/load");
      assertThat(awaitState(service, state -> !state.loading()).failed()).isZero();
    }

    @Test
    void aLoadThatIsStartedAgainRunsOnce() {
      long before = awaitState(service, state -> true).placed();
      put(service, "/live/load");
      put(service, "/live/load");
      assertThat(awaitState(service, state -> state.placed() > before + 20).loading()).isTrue();
      delete(service, "/live/load");
      awaitState(service, state -> !state.loading());
    }

    @Test
    void aDatabaseThatIsCutOffRefusesOrdersUntilItIsConnected() {
      assertThat(place(service)).isEqualTo(201);
      put(service, "/live/outage");
      assertThat(awaitState(service, state -> true).cut()).isTrue();
      assertThat(place(service)).isEqualTo(503);
      delete(service, "/live/outage");
      await().atMost(LIMIT).until(() -> place(service) == 201);
      assertThat(awaitState(service, state -> true).cut()).isFalse();
    }

    @Test
    void aPageThatDoesNotReadDoesNotHoldUpTheOthers() {
      LivePictures pictures = service.bean(LivePictures.class);
      TestSubscriber<LiveState> stalled = TestSubscriber.builder().initialRequest(1).build();
      pictures.pictures().subscribe(stalled);
      StepVerifier.create(pictures.pictures().take(20))
          .expectNextCount(20)
          .expectComplete()
          .verify(LIMIT);
      assertThat(stalled.getReceivedOnNext()).hasSize(1);
      stalled.cancel();
    }
  }
}
