package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What docs/webflux.md shows is what the service sends. */
class DocumentTest {

  @Test
  void theFirstOrderIsAnsweredAsShown() throws Exception {
    try (Service service = Service.overH2()) {
      String answer =
          Objects.requireNonNull(
              service
                  .tester()
                  .post()
                  .uri("/orders")
                  .bodyValue(Map.of("customer", "Ann", "item", "flour", "quantity", 3))
                  .exchange()
                  .expectStatus()
                  .isCreated()
                  .expectBody(String.class)
                  .returnResult()
                  .getResponseBody());
      assertThat(answer).startsWith("{").contains("Ann");
      assertThat(Files.readAllLines(Path.of("../../docs/webflux.md"))).contains(answer);
    }
  }
}
