package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcNativeSequenceStoreBuilder;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStoreBuilder;
import io.millrace.spring.SequenceConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Locale;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Keeps the counters in a database reached through R2DBC: in a table, or as its sequences. */
@AutoConfiguration(
    after = SpannerSequencesAutoConfiguration.class,
    afterName = "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration")
@Conditional({OnBoot4.class, OnStoreConnections.class})
@ConditionalOnMissingBean(SequenceStore.class)
@EnableConfigurationProperties(MillraceProperties.class)
public final class R2dbcSequencesAutoConfiguration {

  R2dbcSequencesAutoConfiguration() {}

  @Bean
  StoreConnections sequenceStoreConnections(
      @SequenceConnectionFactory ObjectProvider<ConnectionFactory> marked,
      ObjectProvider<ConnectionFactory> application,
      ListableBeanFactory beans) {
    return StoreConnections.of(
        marked.getIfAvailable(),
        application.getIfUnique(),
        beans.getBeanNamesForType(ConnectionFactory.class));
  }

  /** The table of counters. With database sequences, only gapless numbers use it. */
  @Bean
  R2dbcSequenceStore sequenceStore(StoreConnections connections, MillraceProperties properties) {
    R2dbcSequenceStoreBuilder builder =
        ofOneDatabase(() -> R2dbcSequenceStore.builder(connections.factory()));
    return PropertyRefusal.naming(
        "table", properties.table(), () -> builder.table(properties.table()).build());
  }

  /** The sequences of the database, from which generators then take their values. */
  @Bean
  @Primary
  @Conditional(OnNative.class)
  R2dbcNativeSequenceStore nativeSequenceStore(
      StoreConnections connections, MillraceProperties properties) {
    R2dbcNativeSequenceStoreBuilder builder =
        ofOneDatabase(() -> R2dbcNativeSequenceStore.builder(connections.factory()));
    return properties.store() == StoreChoice.NATIVE_POOLED_LO
        ? builder.pooledLo().build()
        : builder.build();
  }

  @Bean
  @ConditionalOnBooleanProperty("millrace.create-table")
  StoreTable sequenceStoreTable(R2dbcSequenceStore store) {
    return store::createTable;
  }

  /**
   * Refuses to choose if the counters may be in Spanner, but the artefact that reaches them there
   * is missing, or there are several clients. Counters that start again in another database would
   * issue the same numbers twice.
   */
  @Bean
  @Primary
  @ConditionalOnBean(type = "com.google.cloud.spanner.DatabaseClient")
  @ConditionalOnProperty(name = "millrace.store", havingValue = "unset", matchIfMissing = true)
  SequenceStore unclearStore() {
    throw PropertyRefusal.of(
        "store",
        null,
        "there is a bean of type com.google.cloud.spanner.DatabaseClient, and no store over it: if"
            + " the counters are in Spanner, add the artefact io.millrace:millrace-spanner, and mark"
            + " one of several clients @Primary; otherwise set millrace.store=r2dbc");
  }

  /** Reports a factory that chooses its database by the Context of a subscriber. */
  private static <T> T ofOneDatabase(Supplier<T> builder) {
    try {
      return builder.get();
    } catch (IllegalArgumentException routing) {
      throw new StartFailedException(
          String.valueOf(routing.getMessage()),
          "Mark the ConnectionFactory of one database with @SequenceConnectionFactory and"
              + " @Bean(defaultCandidate = false).");
    }
  }

  static final class OnNative implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      String store = context.getEnvironment().getProperty("millrace.store", "");
      return store.toLowerCase(Locale.ROOT).startsWith("native");
    }
  }
}
