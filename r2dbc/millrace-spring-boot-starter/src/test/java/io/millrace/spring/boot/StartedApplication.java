package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.data.relational.RelationalManagedTypes;

/** A whole application, started as its {@code main} method does, with its logging and reports. */
final class StartedApplication {

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    MillraceAutoConfiguration.class,
    R2dbcAutoConfiguration.class,
    R2dbcTransactionManagerAutoConfiguration.class,
    DataR2dbcAutoConfiguration.class
  })
  static class Configured {

    /** Otherwise the entities of all tests in this package. */
    @Bean
    static RelationalManagedTypes entities() {
      return RelationalManagedTypes.empty();
    }
  }

  private final SpringApplication application;

  /** The URL of a new database in memory. */
  static String h2() {
    return "r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1";
  }

  StartedApplication(String yaml, Map<String, Object> environment, Class<?>... more) {
    application = new SpringApplication(Configured.class);
    application.addPrimarySources(List.of(more));
    application.setWebApplicationType(WebApplicationType.NONE);
    application.addInitializers(
        context -> {
          MutablePropertySources sources = context.getEnvironment().getPropertySources();
          String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
          sources.replace(name, new SystemEnvironmentPropertySource(name, environment));
          try {
            new YamlPropertySourceLoader()
                .load(
                    "application.yaml",
                    new ByteArrayResource(
                        yaml.getBytes(StandardCharsets.UTF_8), "application.yaml"))
                .forEach(sources::addLast);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Uses the application, and stops it. */
  void use(Consumer<ConfigurableApplicationContext> user) {
    try (ConfigurableApplicationContext context =
        application.run("--logging.level.io.millrace=INFO")) {
      user.accept(context);
    }
  }

  /** Returns the report of a start that fails. It has no stack trace. */
  String report(CapturedOutput output) {
    Throwable failure = ThrowableAssert.catchThrowable(() -> use(context -> {}));
    assertThat(failure).as("the application has started").isNotNull();
    String out = output.getOut();
    assertThat(out).contains("APPLICATION FAILED TO START");
    String report = out.substring(out.lastIndexOf("APPLICATION FAILED TO START"));
    assertThat(report).doesNotContain("\tat ");
    assertThat(report.lines()).hasSizeLessThan(30);
    return report;
  }
}
