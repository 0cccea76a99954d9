package io.millrace.spring.boot;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceValue;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import reactor.core.scheduler.Schedulers;

/**
 * Configures a {@code SequenceStore} in Spanner or over R2DBC, and what uses it, from {@code
 * millrace.*} properties: {@code SequenceGenerators}, a {@code SequenceGenerator} bean for each of
 * {@code millrace.sequences}, a bean for each of {@code millrace.gapless}, the callback of {@link
 * SequenceValue}, meters, health, the work at start, and the shutdown of generators and {@code
 * RowWriter} beans.
 *
 * <p>The application may replace each part with its own bean. The order of the imports matters:
 * each depends on those before it.
 */
@AutoConfiguration(
    afterName = {
      "com.google.cloud.spring.autoconfigure.spanner.GcpSpannerAutoConfiguration",
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
      "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration",
      // A repository may have the name of a sequence, whose bean then gets another name.
      "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcRepositoriesAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@EnableConfigurationProperties(MillraceProperties.class)
@Import({
  SpannerSequences.Store.class,
  SpannerSequences.Unclear.class,
  R2dbcSequences.Store.class,
  SequenceBeans.MissingStore.class,
  SequenceBeans.Generators.class,
  R2dbcSequences.Gapless.class,
  SpannerSequences.Gapless.class,
  NamedBeansRegistrar.class,
  SequenceBeans.Meters.class,
  SequenceBeans.Entities.class,
  SequenceBeans.Health.class,
  SequenceBeans.Actuator.class
})
public final class MillraceAutoConfiguration {

  MillraceAutoConfiguration() {}

  @Bean
  static ConfiguredNames configuredSequenceNames(Environment environment) {
    return new ConfiguredNames(environment);
  }

  /** Uses the only or primary clock of the application, otherwise the system clock. */
  @Bean
  GaplessNumbers gaplessNumbers(
      MillraceProperties properties, ConfiguredNames names, ObjectProvider<Clock> clocks) {
    return new GaplessNumbers(properties, names, clocks.getIfUnique(Clock::systemUTC));
  }

  @Bean
  SequencesLifecycle sequencesLifecycle(
      ObjectProvider<SequenceGenerators> generators,
      ObjectProvider<SequenceStore> store,
      ObjectProvider<GaplessNumbers.Source> gapless,
      ObjectProvider<StartCheck.Table> table,
      ConfiguredNames names,
      ConfigurableListableBeanFactory beans,
      MillraceProperties properties) {
    SequenceStore gaplessStore = // its source exists only if there are such numbers
        names.in(ConfiguredNames.GAPLESS).isEmpty()
            ? null
            : gapless.stream().findFirst().map(GaplessNumbers.Source::counters).orElse(null);
    SequenceGenerators used = generators.getIfUnique();
    StartCheck check =
        new StartCheck(
            properties, names, used, store.getIfUnique(), gaplessStore, table.getIfUnique());
    return new SequencesLifecycle(
        used, check, beans, properties.shutdownTimeout(), Schedulers.parallel());
  }
}
