package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.CaseFormat;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;

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

  @Test
  void thePageListsTheServicesPropertiesWithTheirDefaults() throws Exception {
    Properties defaults = defaults();
    String page = Files.readString(Path.of("../../docs/webflux.md"));
    for (RecordComponent each : OrderSettings.class.getRecordComponents()) {
      String name = "orders." + CaseFormat.LOWER_CAMEL.to(CaseFormat.LOWER_HYPHEN, each.getName());
      assertThat(page).contains("\n| `" + name + "` | `" + defaults.get(name) + "` |");
    }
  }

  private static Properties defaults() {
    YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
    yaml.setResources(new ClassPathResource("application.yaml"));
    return Objects.requireNonNull(yaml.getObject());
  }
}
