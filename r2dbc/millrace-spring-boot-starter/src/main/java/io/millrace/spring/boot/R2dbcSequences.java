package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SequenceConnectionFactory;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Counters in a database reached through R2DBC: in a table, or as native sequences. */
final class R2dbcSequences {

  private R2dbcSequences() {}

  @Configuration(proxyBeanMethods = false)
  @Conditional({OnR2dbc.class, OnStoreConnections.class})
  @ConditionalOnMissingBean({SequenceStore.class, SpannerSequences.Unclear.class})
  static class Store {

    private final ConnectionFactory connections;

    Store(
        @SequenceConnectionFactory ObjectProvider<ConnectionFactory> marked,
        ObjectProvider<ConnectionFactory> application,
        ListableBeanFactory beans) {
      this.connections = connections(marked.getIfAvailable(), application.getIfUnique(), beans);
      try {
        R2dbcSequenceStore.builder(connections);
      } catch (IllegalArgumentException routing) { // it chooses a database by the Context
        throw new StartFailedException(
            String.valueOf(routing.getMessage()),
            "Mark the ConnectionFactory of one database with @SequenceConnectionFactory and"
                + " @Bean(defaultCandidate = false).");
      }
    }

    /** The table of counters. With native sequences, only gapless numbers use it. */
    @Bean
    R2dbcSequenceStore sequenceStore(MillraceProperties properties, ConfiguredNames names) {
      return names.naming(
          "table", () -> R2dbcSequenceStore.builder(connections).table(properties.table()).build());
    }

    /** Native sequences, from which generators take their values instead. */
    @Bean
    @Primary
    @Conditional(OnNative.class)
    R2dbcNativeSequenceStore nativeSequenceStore(MillraceProperties properties) {
      return properties.store() == MillraceProperties.Store.NATIVE_POOLED_LO
          ? R2dbcNativeSequenceStore.createPooledLo(connections)
          : R2dbcNativeSequenceStore.create(connections);
    }

    @Bean
    @ConditionalOnBooleanProperty("millrace.create-table")
    StartCheck.Table sequenceStoreTable(R2dbcSequenceStore store) {
      return store::createTable;
    }

    /** Returns the marked factory as it is, otherwise the driver beneath the application's pool. */
    private static ConnectionFactory connections(
        @Nullable ConnectionFactory marked,
        @Nullable ConnectionFactory application,
        ListableBeanFactory beans) {
      if (marked != null && marked != application) {
        return marked;
      }
      if (application == null) {
        throw new StartFailedException(
            "Sequences are configured, and there are several beans of type ConnectionFactory: "
                + String.join(", ", beans.getBeanNamesForType(ConnectionFactory.class))
                + ".",
            "Mark the one of the counters with @SequenceConnectionFactory and"
                + " @Bean(defaultCandidate = false), or the application's with @Primary.");
      }
      return beneathPool(application);
    }

    /** An open transaction may wait for a reservation, which therefore needs other connections. */
    private static ConnectionFactory beneathPool(ConnectionFactory factory) {
      ConnectionPool pool =
          factory instanceof Wrapped<?> wrapper ? wrapper.unwrap(ConnectionPool.class) : null;
      return pool == null ? factory : pool.unwrap();
    }
  }

  static final class OnR2dbc implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !store(context).equals("spanner");
    }
  }

  static final class OnNative implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return store(context).startsWith("native");
    }
  }

  private static String store(ConditionContext context) {
    return context.getEnvironment().getProperty("millrace.store", "").toLowerCase(Locale.ROOT);
  }

  /** Gapless numbers in Spring's transactions. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(R2dbcTransactionManager.class)
  @ConditionalOnSingleCandidate(R2dbcSequenceStore.class)
  @ConditionalOnMissingBean(GaplessNumbers.Source.class)
  static class Gapless {

    @Bean
    @Lazy // created for the first entry of millrace.gapless
    GaplessSource transactionalSequences(
        R2dbcSequenceStore store, GaplessNumbers numbers, R2dbcTransactionManager transactions) {
      return new GaplessSource(
          numbers, store, Objects.requireNonNull(transactions.getConnectionFactory()));
    }
  }

  record GaplessSource(
      GaplessNumbers numbers, R2dbcSequenceStore counters, ConnectionFactory connections)
      implements GaplessNumbers.Source {

    @Override
    public SpringTransactionalSequence named(String name) {
      return SpringTransactionalSequence.over(
          numbers.open(name, counters::transactional), connections);
    }

    @Override
    public SpringPeriodicNumbers periodic(String name) {
      return SpringPeriodicNumbers.over(
          numbers.periodic(name, counters::transactional), counters.transactionals(), connections);
    }
  }
}
