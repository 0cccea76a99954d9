package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.spring.data.spanner.SpannerR2dbcAutoConfiguration;
import io.millrace.striped.StripedSequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;

/** The endpoint over HTTP. */
class SequencesEndpointTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String MOVABLE = "management.endpoint.sequences.access=unrestricted";

  /** Moves are allowed, of sequences of each kind. */
  private static final String[] MOVABLE_ALL = {
    MOVABLE,
    "millrace.sequences.credits.max-value=NUMERIC(3)",
    "millrace.templates.vip.pattern=orders/vip-{tenant}",
    "millrace.templates.vip.create=true",
    "millrace.templates.vip.max-value=NUMERIC(1)",
    "millrace.templates.orders.max-value=NUMERIC(2)",
    "millrace.transactional.numbers.create=true",
    "millrace.transactional.gapless.create=true"
  };

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      exclude = { // they would look for entities
        DataR2dbcAutoConfiguration.class,
        SpannerR2dbcAutoConfiguration.class
      })
  static class Application {}

  /** Tests with the same properties share an application, and use different sequences of it. */
  private static final Map<List<String>, ConfigurableApplicationContext> STARTED =
      new LinkedHashMap<>();

  private @Nullable ConfigurableApplicationContext running;

  @AfterAll
  static void stop() {
    STARTED.values().forEach(ConfigurableApplicationContext::close);
    STARTED.clear();
  }

  /** Starts the application on H2, with the sequence invoices and a template. */
  private WebTestClient start(String... properties) {
    return start(null, properties);
  }

  private WebTestClient start(@Nullable SequenceStore store, String... properties) {
    ConfigurableApplicationContext context =
        STARTED.computeIfAbsent(List.of(properties), any -> started(store, properties));
    running = context;
    return WebTestClient.bindToServer()
        .baseUrl(
            "http://localhost:"
                + context.getEnvironment().getProperty("local.server.port")
                + "/actuator/sequences")
        .responseTimeout(PATIENCE)
        .build();
  }

  private static ConfigurableApplicationContext started(
      @Nullable SequenceStore store, String... properties) {
    return new SpringApplicationBuilder(Application.class)
        .initializers(
            starting -> {
              if (store != null) {
                ((GenericApplicationContext) starting)
                    .registerBean(SequenceStore.class, () -> store);
              }
            })
        .run(
            Stream.concat(
                    Stream.of(
                        "spring.main.web-application-type=reactive",
                        "server.port=0",
                        "server.shutdown=immediate",
                        "spring.reactor.netty.shutdown-quiet-period=0s",
                        "spring.r2dbc.url=r2dbc:h2:mem:///endpoint",
                        "spring.r2dbc.generate-unique-name=true",
                        "management.endpoints.web.exposure.include=sequences",
                        "millrace.create-table=" + (store == null),
                        "millrace.sequences.invoices.create=true",
                        "millrace.sequences.invoices.block-size=10",
                        "millrace.sequences.shown.create=true",
                        "millrace.sequences.shown.block-size=10",
                        "millrace.sequences.kept.create=true",
                        "millrace.sequences.failing.row=FAILING",
                        "millrace.defaults.backoff.attempts=1",
                        "millrace.startup.check=false", // two rows are missing
                        "millrace.sequences.credits.row=CREDIT",
                        "millrace.templates.orders.pattern=orders/{tenant}",
                        "millrace.templates.orders.create=true"),
                    Stream.of(properties))
                .collect(
                    Collectors.toMap(
                        property -> property.split("=", 2)[0],
                        property -> "--" + property,
                        (before, own) -> own))
                .values()
                .toArray(String[]::new));
  }

  private SequenceGenerators generators() {
    return Objects.requireNonNull(running).getBean(SequenceGenerators.class);
  }

  private long next(String sequence) {
    return Objects.requireNonNull(generators().get(sequence).next().block(PATIENCE));
  }

  private static WebTestClient.ResponseSpec move(
      WebTestClient client, String sequence, Object nextValue) {
    return client
        .post()
        .uri("/" + sequence)
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue(Map.of("nextValue", nextValue))
        .exchange();
  }

  @SuppressWarnings("unchecked") // JSON
  private static Map<String, Object> body(WebTestClient.ResponseSpec response) {
    return Objects.requireNonNull(response.expectBody(Map.class).returnResult().getResponseBody());
  }

  private static Map<String, Object> read(WebTestClient client, String path) {
    return body(client.get().uri(path).exchange().expectStatus().isOk());
  }

  @Test
  void theListNamesTheSequencesWithoutUsingThem() {
    WebTestClient client = start();
    next("orders/acme");
    assertThat(read(client, ""))
        .containsEntry("transactional", List.of())
        .hasEntrySatisfying(
            "sequences",
            all ->
                assertThat(all)
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .hasSize(5)
                    .containsEntry("invoices", "UP")
                    .containsEntry("credits", "UP"))
        .hasEntrySatisfying(
            "ofTemplates",
            some ->
                assertThat(some)
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("orders/acme", "UP"));
    assertThat(generators().snapshots())
        .extracting(SequenceGeneratorSnapshot::name)
        .contains("orders/acme")
        .doesNotContain("invoices", "credits");
  }

  @Test
  void ofManySequencesOfTemplatesOnlyAHundredAreListed() {
    WebTestClient client = start("millrace.max-generators=200");
    for (int tenant = 0; tenant <= SequencesEndpoint.LISTED; tenant++) {
      next("orders/" + tenant);
    }
    Map<String, Object> list = read(client, "");
    assertThat(list).containsEntry("generatorsOfTemplates", SequencesEndpoint.LISTED + 1);
    assertThat((Map<?, ?>) list.get("ofTemplates")).hasSize(SequencesEndpoint.LISTED);
  }

  @Test
  void aSequenceIsShownWithItsSnapshot() {
    WebTestClient client = start();
    next("shown");
    next("orders/shown");
    assertThat(read(client, "/shown"))
        .containsEntry("state", "UP")
        .containsEntry("issued", 1)
        .containsEntry("buffered", 9)
        .containsEntry("blockSize", 10);
    assertThat(read(client, "/orders/shown")).containsEntry("sequence", "orders/shown");
    client.get().uri("/none").exchange().expectStatus().isNotFound();
    client.get().uri("/orders/none").exchange().expectStatus().isNotFound();
    assertThat(generators().snapshots())
        .extracting(SequenceGeneratorSnapshot::name)
        .contains("shown", "orders/shown")
        .doesNotContain("none", "orders/none");
  }

  @Test
  void aSequenceThatCannotReserveIsOutOfServiceAndItsCauseIsShown() {
    WebTestClient client = start();
    generators().get("failing").next().onErrorComplete().block(PATIENCE); // it has no row
    Map<String, Object> shown = read(client, "/failing");
    assertThat(shown).containsEntry("state", "OUT_OF_SERVICE");
    assertThat(shown.get("lastFailure")).asString().contains("FAILING");
  }

  @Test
  void byDefaultNothingIsMoved() {
    WebTestClient client = start();
    move(client, "kept", 100).expectStatus().isEqualTo(405);
    assertThat(next("kept")).isEqualTo(1);
  }

  @Test
  void whereThatIsAllowedACounterMovesForwardAndNeverBack() {
    WebTestClient client = start(MOVABLE_ALL);
    assertThat(next("invoices")).isEqualTo(1);
    Map<String, Object> moved = Map.of("sequence", "invoices", "nextValue", 1_000);
    assertThat(body(move(client, "invoices", 1_000).expectStatus().isOk())).isEqualTo(moved);
    assertThat(body(move(client, "invoices", 5).expectStatus().isOk())).isEqualTo(moved);
    for (long buffered = 2; buffered <= 10; buffered++) {
      assertThat(next("invoices")).isEqualTo(buffered);
    }
    assertThat(next("invoices")).isEqualTo(1_000);
  }

  @Test
  void aMoveThatIsRefusedSaysWhy() {
    WebTestClient client = start(MOVABLE_ALL);
    next("orders/acme");
    next("orders/vip-acme");
    String range = "nextValue must be from 1 to ";
    String largest = range + "9223372036854775806, was ";

    refused(client, "none", 5, "there is no sequence 'none'");
    refused(client, "credits", 5, "sequence 'credits' has no row in the table of counters");
    refused(client, "invoices", 0, largest + 0);
    refused(client, "invoices", Long.MAX_VALUE, largest + Long.MAX_VALUE);
    refused(client, "numbers", Long.MAX_VALUE, largest + Long.MAX_VALUE);
    String ofProperty = ", the max-value of the sequence, was ";
    refused(client, "credits", 1_000, range + "999 (NUMERIC(3))" + ofProperty + 1_000);
    refused(client, "orders/acme", 100, range + "99 (NUMERIC(2))" + ofProperty + 100);
    refused(client, "orders/vip-acme", 10, range + "9 (NUMERIC(1))" + ofProperty + 10);
    move(client, "invoices", "many").expectStatus().isBadRequest();
    client
        .post()
        .uri("/invoices")
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue(Map.of())
        .exchange()
        .expectStatus()
        .isBadRequest();

    move(client, "orders/acme", 99).expectStatus().isOk();
    move(client, "orders/vip-acme", 9).expectStatus().isOk();
  }

  private static void refused(
      WebTestClient client, String sequence, long nextValue, String reason) {
    assertThat(body(move(client, sequence, nextValue).expectStatus().isBadRequest()))
        .as(sequence)
        .containsEntry("error", reason);
  }

  @Test
  void aSequenceWithoutGapsIsMovedOnlyIfTheGapIsAccepted() {
    WebTestClient client = start(MOVABLE_ALL);
    assertThat(body(move(client, "gapless", 50).expectStatus().isBadRequest()).get("error"))
        .asString()
        .contains("sequence 'gapless' has no gaps", "below 50", "send \"acceptGap\": true");
    assertThat(read(client, "/gapless")).containsEntry("nextValue", 1);

    WebTestClient.ResponseSpec accepted =
        client
            .post()
            .uri("/gapless")
            .contentType(MediaType.APPLICATION_JSON)
            .bodyValue(Map.of("nextValue", 50, "acceptGap", true))
            .exchange();
    assertThat(body(accepted.expectStatus().isOk())).containsEntry("nextValue", 50);
    assertThat(read(client, "/gapless")).containsEntry("nextValue", 50);
  }

  @Test
  void whatTheListNamesIsShown() {
    WebTestClient client =
        start(
            "millrace.transactional.numbers.row=NUMBERS",
            "millrace.transactional.numbers.create=true",
            "millrace.transactional.missing.row=NONE",
            "millrace.transactional.yearly.period=yearly");
    next("orders/acme");
    Map<String, Object> list = read(client, "");
    assertThat((List<?>) Objects.requireNonNull(list.get("transactional"))).hasSize(3);
    assertThat(read(client, "/yearly"))
        .as("before the first number of the year")
        .containsEntry("nextValue", 1)
        .doesNotContainKey("lastFailure")
        .extractingByKey("row")
        .asString()
        .matches("yearly/\\d{4}");
    assertThat(read(client, "/numbers"))
        .isEqualTo(
            Map.of(
                "sequence", "numbers", "kind", "transactional", "row", "NUMBERS", "nextValue", 1));
    assertThat(read(client, "/missing"))
        .containsEntry("row", "NONE")
        .doesNotContainKey("nextValue")
        .extractingByKey("lastFailure")
        .asString()
        .contains("'NONE' was not found");
    assertThat(read(client, "/credits"))
        .containsEntry("kind", "sequence")
        .containsEntry("row", "CREDIT");
    assertThat(read(client, "/orders/acme")).containsEntry("kind", "template");
  }

  @Test
  void aStoreThatHangsHoldsNoRequestForever() {
    MillraceProperties properties = MillracePropertiesTest.unset();
    properties.defaults().setReservationTimeout(Duration.ofMillis(50));
    properties
        .transactional()
        .put("numbers", new MillraceProperties.Transactional(null, false, 1, null, null, null));
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("numbers", 1);
    AtomicInteger cancelled = new AtomicInteger();
    SequencesEndpoint endpoint =
        new SequencesEndpoint(
            SequenceGenerators.builder(store).build(),
            new TransactionalRows(properties, Clock.systemUTC()),
            new DelegatingSequenceStore(store) {
              @Override
              public Mono<SequenceState> state(String sequence) {
                return Mono.<SequenceState>never().doOnCancel(cancelled::incrementAndGet);
              }

              @Override
              public Mono<SequenceState> moveForward(String sequence, long nextValue) {
                return Mono.<SequenceState>never().doOnCancel(cancelled::incrementAndGet);
              }
            });

    WebEndpointResponse<Map<String, Object>> moved =
        endpoint
            .moveForward(new String[] {"numbers"}, 5, true)
            .blockOptional(PATIENCE)
            .orElseThrow();
    assertThat(moved.getStatus()).isEqualTo(504);
    assertThat(Objects.requireNonNull(moved.getBody()).get("error"))
        .asString()
        .contains("not answer within PT0.05S");
    assertThat(endpoint.sequence("numbers").blockOptional(PATIENCE).orElseThrow())
        .containsEntry("row", "numbers")
        .containsKey("lastFailure");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(cancelled).hasValue(2));
  }

  @Test
  void countersOfTheApplicationsOwnStoreAreMoved() {
    WebTestClient client = start(InMemorySequenceStore.withSequence("invoices", 1), MOVABLE);
    assertThat(body(move(client, "invoices", 5).expectStatus().isOk()))
        .containsEntry("nextValue", 5);
  }

  @Test
  void aStoreThatCannotMoveItsCountersIsAReasonToRefuse() {
    StripedSequenceStore store =
        StripedSequenceStore.builder(InMemorySequenceStore.create()).stripes(4).build();
    SequenceGenerators generators =
        SequenceGenerators.builder(store).sequence("a", each -> {}).build();
    TransactionalRows rows =
        new TransactionalRows(MillracePropertiesTest.unset(), Clock.systemUTC());
    assertThat(refusal(new SequencesEndpoint(generators, rows, store)))
        .contains("cannot be moved", "StripedSequenceStore");
    assertThat(refusal(new SequencesEndpoint(generators, rows, null)))
        .contains("no single bean of type SequenceStore");
  }

  private static String refusal(SequencesEndpoint endpoint) {
    WebEndpointResponse<Map<String, Object>> answer =
        endpoint.moveForward(new String[] {"a"}, 5, null).blockOptional(PATIENCE).orElseThrow();
    assertThat(answer.getStatus()).isEqualTo(400);
    return String.valueOf(Objects.requireNonNull(answer.getBody()).get("error"));
  }

  @Test
  void itIsNotExposedUnlessItIsNamed() {
    start("management.endpoints.web.exposure.include=health")
        .get()
        .exchange()
        .expectStatus()
        .isNotFound();
  }

  @Test
  void withoutTheActuatorNothingBreaks() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class))
        .withBean(SequenceStore.class, () -> InMemorySequenceStore.withSequence("a", 1))
        .withPropertyValues("millrace.sequences.a.block-size=10")
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
        .run(context -> assertThat(context).hasNotFailed().hasBean("a"));
  }
}
