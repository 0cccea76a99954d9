package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcNativeSequenceStoreBuilder;
import io.millrace.spring.SequenceConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The store over the sequences of a database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnStore(StoreChoice.NATIVE)
@ConditionalOnMissingBean(SequenceStore.class)
@Conditional(OnStoreConnections.class)
@Import(R2dbcStoreConfiguration.Drivers.class)
class R2dbcNativeStoreConfiguration {

  @Bean(destroyMethod = "close")
  StoreConnections sequenceStoreConnections(
      @SequenceConnectionFactory ObjectProvider<ConnectionFactory> marked,
      ObjectProvider<ConnectionFactory> application,
      MillraceProperties properties) {
    return R2dbcStoreConfiguration.connections(marked, application, properties);
  }

  @Bean
  R2dbcNativeSequenceStore sequenceStore(
      StoreConnections connections, MillraceProperties properties) {
    if (properties.createTable()) {
      throw PropertyRefusal.of(
          "create-table",
          true,
          "millrace.store selects native sequences of the database, which have no table");
    }
    R2dbcNativeSequenceStoreBuilder builder =
        R2dbcNativeSequenceStore.builder(connections.factory());
    return properties.store() == StoreChoice.NATIVE_POOLED_LO
        ? builder.pooledLo().build()
        : builder.build();
  }

  /** The health details of the store's connections. */
  @Bean
  StoreHealth sequenceStoreHealth(R2dbcNativeSequenceStore store) {
    return () -> Map.of("hung", store.hungConnections(), "givenUp", store.connectionsGivenUp());
  }
}
