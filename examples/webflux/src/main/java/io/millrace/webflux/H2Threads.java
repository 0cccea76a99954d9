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

/** H2 works on the thread that calls it, and may wait there, so it gets threads for that. */
@Configuration
@Profile("h2")
class H2Threads {

  @Bean
  ConnectionFactoryDecorator onBoundedElastic() {
    return OnBoundedElastic::new;
  }

  /** An id that had to wait comes there, too: what follows it is work of H2's. */
  @Bean
  SequenceGeneratorBuilderCustomizer idsOnBoundedElastic() {
    return (name, options) -> options.deliverOn(Schedulers.boundedElastic());
  }

  /** Its connections arrive on a thread that may wait, and what follows is done there. */
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
