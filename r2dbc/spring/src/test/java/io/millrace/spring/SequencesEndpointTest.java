package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

/** The endpoint over HTTP. */
class SequencesEndpointTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String MOVABLE = "management.endpoint.sequences.access=unrestricted";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      exclude = { // they would look for entities
        DataR2dbcAutoConfiguration.class,
        SpannerR2dbcAutoConfiguration.class
      })
  static class Application {}

  private @Nullable ConfigurableApplicationContext running;

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  /** Starts the application on H2, with the sequence invoices and a template. */
  private WebTestClient start(String... properties) {
    return start(null, properties);
  }

  private WebTestClient start(@Nullable SequenceStore store, String... properties) {
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
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
                            "millrace.sequences.invoices.batch-size=10",
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
    running = context;
    return WebTestClient.bindToServer()
        .baseUrl(
            "http://localhost:"
                + context.getEnvironment().getProperty("local.server.port")
                + "/actuator/sequences")
        .responseTimeout(PATIENCE)
        .build();
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
        .containsEntry("sequences", Map.of("invoices", "UP", "credits", "UP"))
        .containsEntry("transactional", List.of())
        .containsEntry("ofTemplates", Map.of("orders/acme", "UP"))
        .containsEntry("generatorsOfTemplates", 1);
    assertThat(generators().snapshots()).hasSize(1);
  }

  @Test
  void ofManySequencesOfTemplatesOnlyAHundredAreListed() {
    WebTestClient client = start();
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
    next("invoices");
    next("orders/acme");
    assertThat(read(client, "/invoices"))
        .containsEntry("state", "UP")
        .containsEntry("issued", 1)
        .containsEntry("buffered", 9)
        .containsEntry("batchSize", 10);
    assertThat(read(client, "/orders/acme")).containsEntry("sequence", "orders/acme");
    client.get().uri("/none").exchange().expectStatus().isNotFound();
    client.get().uri("/orders/none").exchange().expectStatus().isNotFound();
    assertThat(generators().snapshots()).hasSize(2);
  }

  @Test
  void aSequenceThatCannotReserveIsOutOfServiceAndItsCauseIsShown() {
    WebTestClient client = start("millrace.defaults.backoff.attempts=1");
    generators().get("credits").next().onErrorComplete().block(PATIENCE); // it has no row
    Map<String, Object> shown = read(client, "/credits");
    assertThat(shown).containsEntry("state", "OUT_OF_SERVICE");
    assertThat(shown.get("lastFailure")).asString().contains("CREDIT");
  }

  @Test
  void byDefaultNothingIsMoved() {
    WebTestClient client = start();
    move(client, "invoices", 100).expectStatus().isEqualTo(405);
    assertThat(next("invoices")).isEqualTo(1);
  }

  @Test
  void whereThatIsAllowedACounterMovesForwardAndNeverBack() {
    WebTestClient client = start(MOVABLE);
    assertThat(next("invoices")).isEqualTo(1);
    Map<String, Object> moved = Map.of("sequence", "invoices", "nextValue", 1_000);
    assertThat(body(move(client, "invoices", 1_000).expectStatus().isOk())).isEqualTo(moved);
    assertThat(body(move(client, "invoices", 5).expectStatus().isOk())).isEqualTo(moved);
    for (long buffered = 2; buffered <= 10; buffered++) {
      assertThat(next("invoices")).isEqualTo(buffered);
    }
    assertThat(next("invoices")).isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none | 5 | there is no sequence 'none'",
        "invoices | 0 | nextValue must be from 1 to 9223372036854775807, was 0",
        "credits | 5 | sequence 'credits' has no row in the table of counters",
      })
  void aMoveThatIsRefusedSaysWhy(String sequence, long nextValue, String reason) {
    assertThat(body(move(start(MOVABLE), sequence, nextValue).expectStatus().isBadRequest()))
        .containsEntry("error", reason);
  }

  @Test
  void whatIsNoNumberIsRefused() {
    WebTestClient client = start(MOVABLE);
    move(client, "invoices", "many").expectStatus().isBadRequest();
    client
        .post()
        .uri("/invoices")
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue(Map.of())
        .exchange()
        .expectStatus()
        .isBadRequest();
  }

  @Test
  void countersOfTheApplicationsOwnStoreAreNotMoved() {
    WebTestClient client = start(InMemorySequenceStore.withSequence("invoices", 1), MOVABLE);
    assertThat(body(move(client, "invoices", 5).expectStatus().isBadRequest()).get("error"))
        .asString()
        .contains("the application's own");
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
        .withPropertyValues("millrace.sequences.a.batch-size=10")
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
        .run(context -> assertThat(context).hasNotFailed().hasBean("a"));
  }
}
