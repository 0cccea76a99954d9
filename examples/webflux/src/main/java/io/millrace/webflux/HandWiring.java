package io.millrace.webflux;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.spring.SequenceValueCallback;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/** What auto-configuration makes of the properties. */
@Configuration(proxyBeanMethods = false)
class HandWiring {

  @Bean
  SequenceStore store(ConnectionFactory connections) {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
    store.createTable().block(Duration.ofSeconds(30));
    return store;
  }

  @Bean
  SequenceGenerators sequences(SequenceStore store) {
    return SequenceGenerators.builder(store)
        .sequence(
            "order_id",
            options ->
                options
                    .createMissing(1)
                    .batchSize(1_000)
                    .lowWatermark(200)
                    .acquireTimeout(Duration.ofSeconds(3)))
        .build();
  }

  @Bean
  SequenceValueCallback callback(R2dbcMappingContext entities, SequenceGenerators sequences) {
    return new SequenceValueCallback(entities, sequences::get, name -> null);
  }
}
