package io.millrace.spring.boot;

import io.millrace.spring.SequenceValue;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Configures sequences from {@code millrace.*} properties: a {@code SequenceStore} in the
 * application's database, {@code SequenceGenerators}, a {@code SequenceGenerator} bean for each of
 * {@code millrace.sequences}, a bean for each of {@code millrace.gapless}, the callback of {@link
 * SequenceValue}, meters, health, and the shutdown of the application's {@code RowWriter} beans.
 *
 * <p>The application may replace each part with its own bean. The order of the imports matters:
 * each depends on those before it.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
      "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration",
      // A repository may have the name of a sequence, whose bean then gets another name.
      "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcRepositoriesAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "com.google.cloud.spring.autoconfigure.spanner.GcpSpannerAutoConfiguration"
    })
@Conditional(OnBoot4.class)
@EnableConfigurationProperties(MillraceProperties.class)
@Import({
  SpannerStoreConfiguration.class,
  UnclearStoreConfiguration.class,
  R2dbcStoreConfiguration.class,
  R2dbcNativeStoreConfiguration.class,
  MissingStoreConfiguration.class,
  MetersConfiguration.class,
  GeneratorsConfiguration.class,
  NamedGeneratorsConfiguration.class,
  R2dbcGaplessConfiguration.class,
  SpannerGaplessConfiguration.class,
  GaplessRegistrar.class,
  WritersConfiguration.class,
  EntitiesConfiguration.class,
  HealthConfiguration.class,
  SequencesEndpoint.Exposed.class
})
public final class MillraceAutoConfiguration {

  MillraceAutoConfiguration() {}
}
