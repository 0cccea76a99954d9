package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import shop.Shop;

/** The first application of docs/spring.md, and its complete configuration. */
@ExtendWith(OutputCaptureExtension.class)
class SpringStartTest {

  private static String first(String pattern) throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "spring.md"));
    Matcher shown = Pattern.compile(pattern, Pattern.DOTALL).matcher(page);
    assertThat(shown.find()).as(pattern).isTrue();
    return shown.group(1);
  }

  @Test
  void storesPurchaseWithItsId(@TempDir Path folder, CapturedOutput output) throws IOException {
    Path configuration =
        Files.writeString(folder.resolve("application.yaml"), first("```yaml\n(.*?)```"));
    Path schema = Files.writeString(folder.resolve("schema.sql"), first("`(CREATE TABLE [^`]*)`"));
    try (ConfigurableApplicationContext shop =
        SpringApplication.from(Shop::main)
            .run(
                "--spring.config.location=" + configuration.toUri(),
                "--spring.sql.init.schema-locations=" + schema.toUri(),
                "--spring.main.web-application-type=none")
            .getApplicationContext()) {
      assertThat(output).contains("Purchase[id=1, customer=Ada]");
      assertThat(shop.getBean("order_id", SequenceGenerator.class).next().block()).isEqualTo(2);
    }
  }

  @Test
  void completeConfigurationStarts() throws IOException {
    new StartedApplication(
            first("## One complete configuration\n\n```yaml\n(.*?)```"),
            Map.of("SPRING_R2DBC_URL", StartedApplication.h2()))
        .use(
            context -> {
              assertThat(context.getBeansOfType(SequenceGenerator.class))
                  .containsOnlyKeys("product_id", "order_id", "event_id");
              assertThat(context.getBeansOfType(SpringTransactionalSequence.class))
                  .containsOnlyKeys("receipt_no");
              assertThat(context.getBeansOfType(SpringPeriodicNumbers.class))
                  .containsOnlyKeys("invoice");
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              assertThat(generators.get("order_id").next().block()).isEqualTo(1000);
              assertThat(generators.get("ticket/acme").next().block()).isEqualTo(1);
            });
  }
}
