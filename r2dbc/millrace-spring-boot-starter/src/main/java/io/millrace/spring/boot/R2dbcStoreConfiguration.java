package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStoreBuilder;
import io.millrace.spring.SequenceConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The store over R2DBC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnStore(StoreChoice.R2DBC)
@ConditionalOnMissingBean(SequenceStore.class)
@Conditional(OnStoreConnections.class)
class R2dbcStoreConfiguration {

  @Bean(destroyMethod = "close")
  StoreConnections sequenceStoreConnections(
      @SequenceConnectionFactory ObjectProvider<ConnectionFactory> marked,
      ObjectProvider<ConnectionFactory> application,
      MillraceProperties properties) {
    return connections(marked, application, properties);
  }

  /** The connections of a store: the application's own for it, or a pool over the same driver. */
  static StoreConnections connections(
      ObjectProvider<ConnectionFactory> marked,
      ObjectProvider<ConnectionFactory> application,
      MillraceProperties properties) {
    ConnectionFactory dedicated = marked.getIfAvailable();
    ConnectionFactory shared = application.getIfUnique();
    if (dedicated != null && dedicated == shared) {
      throw new IllegalStateException(
          "the ConnectionFactory that is marked @SequenceConnectionFactory is also the"
              + " application's: mark a separate one, with @Bean(defaultCandidate = false)");
    }
    if (dedicated != null) {
      return StoreConnections.dedicated(dedicated);
    }
    if (shared == null) {
      throw new IllegalStateException(
          "there are several beans of type ConnectionFactory and none is primary: mark the one for sequences"
              + " with @SequenceConnectionFactory and @Bean(defaultCandidate = false), or define a"
              + " SequenceStore");
    }
    return StoreConnections.separateFrom(
        shared, properties.r2dbc().pool(), ConnectTimes.of(properties));
  }

  /** The health details of the store's connections. */
  @Bean
  StoreHealth sequenceStoreHealth(R2dbcSequenceStore store) {
    return () -> Map.of("hung", store.hungConnections(), "givenUp", store.connectionsGivenUp());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConnectionFactoryOptionsBuilderCustomizer.class)
  static class Drivers {

    @Bean
    ConnectionFactoryOptionsBuilderCustomizer sequenceStoreDriverTimeouts() {
      return ConnectTimes::complete;
    }
  }

  @Bean
  R2dbcSequenceStore sequenceStore(StoreConnections connections, MillraceProperties properties) {
    R2dbcSequenceStoreBuilder builder = R2dbcSequenceStore.builder(connections.factory());
    return PropertyRefusal.naming(
        () -> {
          PropertyMapper set = PropertyMapper.get();
          set.from(properties::table).to(builder::table);
          set.from(properties::nameColumn).to(builder::nameColumn);
          set.from(properties::valueColumn).to(builder::valueColumn);
          set.from(properties::nameLength).to(builder::nameLength);
          return builder.build();
        });
  }

  @Bean
  StoreDescription sequenceStoreDescription(
      StoreConnections connections,
      ObjectProvider<ConnectionFactory> application,
      MillraceProperties properties) {
    ConnectionFactory described = application.getIfUnique(connections::factory);
    return () ->
        "table %s of %s, over R2DBC"
            .formatted(properties.tableName(), described.getMetadata().getName());
  }

  @Bean
  @ConditionalOnBooleanProperty("millrace.create-table")
  StoreTable sequenceStoreTable(R2dbcSequenceStore store) {
    return store::createTable;
  }
}
