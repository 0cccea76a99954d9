package io.millrace.spring;

import com.google.cloud.spanner.AbortedException;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.insert.RowWriter;
import io.millrace.micrometer.MicrometerRecorder;
import io.millrace.micrometer.MicrometerWriterRecorder;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.millrace.spring.boot.AutoConfigureInMemorySequences;
import io.millrace.spring.data.spanner.SpannerDialect;
import io.millrace.spring.data.spanner.SpannerEntityTemplate;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.config.AbstractR2dbcConfiguration;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.core.ReactiveDataAccessStrategy;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.RestController;
import org.testcontainers.gcloud.SpannerEmulatorContainer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Java that README.md and pages under docs show, for the compiler. Nothing of it is run. */
@SuppressWarnings("UnusedVariable")
final class DocumentedCode {

  record Order(long id, String customer, @Nullable String note) {

    Order withId(long assigned) {
      return new Order(assigned, customer, note);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("customer", customer).set("note", note, String.class);
    }
  }

  private final ConnectionFactory connectionFactory;
  private final Flux<Order> orders;

  DocumentedCode(ConnectionFactory connectionFactory, Flux<Order> orders) {
    this.connectionFactory = connectionFactory;
    this.orders = orders;
  }

  void whatAGeneratorGives() {
    SequenceStore store = R2dbcSequenceStore.create(connectionFactory);
    SequenceGenerator ids = SequenceGenerator.builder(store, "order_id").build();

    Mono<Long> id = ids.next();
    Mono<List<Long>> five = ids.next(5);
    Flux<Long> many = ids.values();
    Flux<Order> numbered = orders.transform(ids.assign(Order::withId));
    Sequence odd = ids.map(value -> 2 * value + 1);
  }

  void meters(SequenceStore store, MeterRegistry meterRegistry) {
    SequenceGenerator ids =
        SequenceGenerator.builder(store, "order_id")
            .metrics(MicrometerRecorder.of(meterRegistry))
            .build();
    MicrometerRecorder.of(meterRegistry, name -> name.replaceAll("/.*", ""));
    RowWriter<Order> writer =
        R2dbcInserts.into(connectionFactory, "orders", Order::writeTo)
            .metrics(MicrometerWriterRecorder.of(meterRegistry, "orders"))
            .writer();
  }

  Mono<Order> rowsOfRequests(ConnectionFactory connections, Order order) {
    RowWriter<Order> writer =
        R2dbcInserts.into(connections, "orders", Order::writeTo).key("id").writer();
    Mono<Order> saved = writer.write(order);
    return saved;
  }

  void store() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connectionFactory);
    store.createTable().then(store.create("order_id", 1)).block();
    SequenceGenerator ids = SequenceGenerator.builder(store, "order_id").blockSize(1_000).build();
  }

  void besideIds() {
    SequenceGenerator ids =
        SequenceGenerator.builder(R2dbcNativeSequenceStore.create(connectionFactory), "order_id")
            .build();
    TransactionalSequence<Connection> numbers =
        R2dbcSequenceStore.create(connectionFactory).transactional("invoice_no");
  }

  static class GaplessRows {

    record Invoice(UUID request, long number, String customer) {

      Invoice withNumber(long taken) {
        return new Invoice(request, taken, customer);
      }

      void writeTo(InsertRow row) {
        row.set("request", request).set("number", number).set("customer", customer);
      }
    }

    Mono<Invoice> save(ConnectionFactory connections, R2dbcSequenceStore store, Invoice invoice) {
      RowWriter<Invoice> writer =
          R2dbcInserts.into(connections, "invoice", Invoice::writeTo)
              .key("request")
              .numbered(store.transactional("invoice_no"), Invoice::withNumber)
              .writer();
      Mono<Invoice> saved = writer.write(invoice);
      return saved;
    }
  }

  static final class Annotated {

    record Purchase(
        @Id @SequenceValue("order_id") Long id,
        @SequenceValue(value = "parcel_id", key = "bit-reversed") long parcel,
        String customer) {}

    interface Purchases extends ReactiveCrudRepository<Purchase, Long> {}

    @SuppressWarnings("NullAway") // null stands for an id that is to be filled in
    void save(Purchases purchases, R2dbcEntityTemplate template, Flux<Purchase> flux) {
      Mono<Purchase> one = purchases.save(new Purchase(null, 0, "Ada"));
      Flux<Purchase> all = purchases.saveAll(flux);
      Mono<Purchase> inserted = template.insert(new Purchase(null, 0, "Bob"));
    }
  }

  static final class Checkout {

    private final SequenceGenerator orderIds;
    private final Function<String, Sequence> tickets;

    Checkout(@Qualifier("order_id") SequenceGenerator orderIds, SequenceGenerators generators) {
      this.orderIds = orderIds;
      this.tickets = tenant -> generators.forTemplate("ticket", tenant);
    }
  }

  static final class ForSequencesOnly {

    @Bean(defaultCandidate = false)
    @SequenceConnectionFactory
    ConnectionFactory sequenceConnections() {
      return ConnectionFactories.get("r2dbc:postgresql://localhost/shop");
    }

    @Bean(defaultCandidate = false)
    ConnectionFactory archive() {
      return ConnectionFactories.get("r2dbc:postgresql://localhost/archive");
    }
  }

  @SuppressWarnings("ClassCanBeStatic") // as it stands on the page
  @Configuration
  @EnableR2dbcRepositories
  class Database extends AbstractR2dbcConfiguration {

    @Bean
    @Override
    public ConnectionFactory connectionFactory() {
      return new ConnectionPool(
          ConnectionPoolConfiguration.builder(
                  SpannerConnectionFactory.over(
                      ConnectionFactories.get("r2dbc:cloudspanner://...")))
              .build());
    }

    @Override
    public R2dbcEntityTemplate r2dbcEntityTemplate(
        DatabaseClient client, ReactiveDataAccessStrategy strategy) {
      return new SpannerEntityTemplate(client, SpannerDialect.GOOGLE_SQL, strategy.getConverter());
    }
  }

  @RestController
  static final class OrderController {}

  @SuppressWarnings("ClassCanBeStatic") // as it stands on the page
  @WebFluxTest(OrderController.class)
  @AutoConfigureInMemorySequences
  class OrderControllerTest {

    @Autowired WebTestClient client;
    @Autowired InMemorySequenceStore store;
  }

  @SuppressWarnings("ClassCanBeStatic") // as it stands on the page
  @TestConfiguration(proxyBeanMethods = false)
  class Containers {

    @Bean
    @ServiceConnection
    SpannerEmulatorContainer emulator() {
      SpannerEmulatorContainer emulator =
          new SpannerEmulatorContainer("gcr.io/cloud-spanner-emulator/emulator");
      emulator.setPortBindings(List.of("9010:9010"));
      return emulator;
    }
  }

  abstract static class Aborted {

    interface Orders extends ReactiveCrudRepository<Order, Long> {}

    abstract Mono<Order> bill(Order order);

    Mono<Order> save(Orders orders, Order order, TransactionalOperator transactionalOperator) {
      Mono<Order> saved =
          Mono.defer(() -> orders.save(order).flatMap(this::bill))
              .as(transactionalOperator::transactional)
              .retryWhen(
                  Retry.backoff(10, Duration.ofMillis(20))
                      .filter(AbortedException.class::isInstance));
      return saved;
    }

    Mono<Order> saveWhoeverLeaves(
        Orders orders, Order order, TransactionalOperator transactionalOperator) {
      Mono<Order> saved =
          Mono.deferContextual(
              context ->
                  orders
                      .save(order)
                      .flatMap(this::bill)
                      .as(transactionalOperator::transactional)
                      .contextWrite(context)
                      .cache());
      return saved;
    }
  }
}
