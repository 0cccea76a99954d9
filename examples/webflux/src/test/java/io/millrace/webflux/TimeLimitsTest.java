package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.io.ClassPathResource;

class TimeLimitsTest {

  /** Two that end at the same moment may drop the error of one. */
  @Test
  void eachTimeLimitOnPostgreSqlIsShorterThanTheOneAroundIt() {
    YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
    yaml.setResources(
        new ClassPathResource("application.yaml"),
        new ClassPathResource("application-postgres.yaml"));
    Properties properties = Objects.requireNonNull(yaml.getObject());
    assertThat(
            Stream.of(
                    "spring.r2dbc.properties.connectTimeout",
                    "spring.r2dbc.pool.max-create-connection-time",
                    "spring.r2dbc.pool.max-acquire-time",
                    "orders.patience")
                .map(properties::getProperty)
                .map(DurationStyle::detectAndParse))
        .isSortedAccordingTo(Comparator.<Duration>naturalOrder())
        .doesNotHaveDuplicates();
  }
}
