package io.millrace.webflux;

import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import org.reactivestreams.Publisher;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls H2 on threads that may block, because it works on the calling thread. */
@Configuration
@Profile("h2")
class H2Threads {

  @Bean
  ConnectionFactoryDecorator onBoundedElastic() {
    return OnBoundedElastic::new;
  }

  /** Delivers ids that had to wait on such a thread as well, because the next step calls H2. */
  @Bean
  SequenceGeneratorBuilderCustomizer idsOnBoundedElastic() {
    return (name, options) -> options.deliverOn(Schedulers.boundedElastic());
  }

  /** Delivers connections on a thread that may block; the following steps run there, too. */
  record OnBoundedElastic(ConnectionFactory driver) implements ConnectionFactory {

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.from(driver.create()).subscribeOn(Schedulers.boundedElastic());
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return driver.getMetadata();
    }
  }
}
