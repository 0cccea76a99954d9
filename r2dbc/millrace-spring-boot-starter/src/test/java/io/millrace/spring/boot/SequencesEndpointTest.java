package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.SequenceGenerators;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.reactive.server.WebTestClient;

@SpringBootTest(
    classes = SequencesEndpointTest.Application.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "spring.main.web-application-type=reactive",
      "management.endpoints.web.exposure.include=sequences",
      "millrace.sequences.invoices.create=true",
      "millrace.sequences.failing.create=true",
      "millrace.templates.orders.create=true"
    })
@AutoConfigureWebTestClient
@DirtiesContext
class SequencesEndpointTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      exclude = {R2dbcAutoConfiguration.class, DataR2dbcAutoConfiguration.class})
  static class Application {
    @Bean
    InMemorySequenceStore store() {
      return InMemorySequenceStore.create();
    }
  }

  @Autowired private WebTestClient client;
  @Autowired private SequenceGenerators generators;
  @Autowired private InMemorySequenceStore store;

  private Map<?, ?> read(String path) {
    return Objects.requireNonNull(
        client
            .get()
            .uri("/actuator/sequences" + path)
            .exchange()
            .expectStatus()
            .isOk()
            .expectBody(Map.class)
            .returnResult()
            .getResponseBody());
  }

  @Test
  void showsGeneratorsWithoutUsingThem() {
    generators.get("orders/acme").next().block(PATIENCE);
    store.startOutage(new IOException("down"));
    generators.get("failing").next().subscribe();
    await().atMost(PATIENCE).until(() -> generators.get("failing").snapshot().failing());

    assertThat(read(""))
        .isEqualTo(Map.of("invoices", "UP", "failing", "OUT_OF_SERVICE", "orders/acme", "UP"));
    assertThat(read("/invoices")).extracting("status", "issued").containsExactly("UP", 0);
    assertThat(read("/orders/acme")).extracting("issued").isEqualTo(1);
    assertThat(String.valueOf(read("/failing").get("lastFailure"))).contains("down");
    for (String unknown : new String[] {"none", "orders/none"}) {
      client.get().uri("/actuator/sequences/" + unknown).exchange().expectStatus().isNotFound();
    }
    assertThat(generators.snapshots())
        .extracting("name")
        .containsExactlyInAnyOrder("failing", "orders/acme");
  }
}
