package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

class SequencesEndpointTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private @Nullable ConfigurableApplicationContext running;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      exclude = {R2dbcAutoConfiguration.class, DataR2dbcAutoConfiguration.class})
  static class Application {}

  @AfterEach
  void stop() {
    if (running != null) {
      running.close();
    }
  }

  private WebTestClient start() {
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .initializers(
                starting ->
                    ((GenericApplicationContext) starting)
                        .registerBean(SequenceStore.class, () -> store))
            .run(
                "--spring.main.web-application-type=reactive",
                "--server.port=0",
                "--server.shutdown=immediate",
                "--spring.reactor.netty.shutdown-quiet-period=0s",
                "--management.endpoints.web.exposure.include=sequences",
                "--millrace.sequences.invoices.create=true",
                "--millrace.sequences.invoices.block-size=10",
                "--millrace.sequences.failing.create=true",
                "--millrace.templates.orders.create=true");
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

  private static Map<?, ?> read(WebTestClient client, String path) {
    return Objects.requireNonNull(
        client
            .get()
            .uri(path)
            .exchange()
            .expectStatus()
            .isOk()
            .expectBody(Map.class)
            .returnResult()
            .getResponseBody());
  }

  @Test
  void showsGeneratorsWithoutUsingThem() {
    WebTestClient client = start();
    SequenceGenerators generators = generators();
    generators.get("orders/acme").next().block(PATIENCE);
    store.startOutage(new IOException("down"));
    generators.get("failing").next().subscribe();
    await().atMost(PATIENCE).until(() -> generators.get("failing").snapshot().failing());

    assertThat(read(client, ""))
        .isEqualTo(Map.of("invoices", "UP", "failing", "OUT_OF_SERVICE", "orders/acme", "UP"));
    assertThat(read(client, "/invoices")).extracting("status", "issued").containsExactly("UP", 0);
    assertThat(read(client, "/orders/acme")).extracting("issued").isEqualTo(1);
    assertThat(String.valueOf(read(client, "/failing").get("lastFailure"))).contains("down");
    client.get().uri("/none").exchange().expectStatus().isNotFound();
    client.get().uri("/orders/none").exchange().expectStatus().isNotFound();

    assertThat(generators.snapshots())
        .extracting(SequenceGeneratorSnapshot::name)
        .containsExactlyInAnyOrder("failing", "orders/acme");
  }

  @Test
  void isLeftOutWithoutTheActuator() {
    new ApplicationContextRunner()
        .withConfiguration(Starter.with())
        .withBean(SequenceStore.class, () -> store)
        .withPropertyValues("millrace.sequences.a.create=true")
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasBean("a")
                    .doesNotHaveBean(SequencesEndpoint.class));
  }
}
