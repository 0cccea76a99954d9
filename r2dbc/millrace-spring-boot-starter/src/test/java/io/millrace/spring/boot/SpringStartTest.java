package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** The first application of docs/spring.md, with its configuration and its table. */
@ExtendWith(OutputCaptureExtension.class)
class SpringStartTest {

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "..", "docs", "spring.md"));
  }

  private static String first(String pattern) throws IOException {
    Matcher shown = Pattern.compile(pattern, Pattern.DOTALL).matcher(page());
    assertThat(shown.find()).as(pattern).isTrue();
    return shown.group(1);
  }

  @Test
  void pageShowsTheProgram() throws IOException {
    String program = Files.readString(Path.of("src/test/java/shop/Shop.java"));
    assertThat(page()).contains("```java\n" + program + "```");
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
}
