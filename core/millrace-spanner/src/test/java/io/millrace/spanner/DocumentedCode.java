package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.TransactionalSequence;
import io.millrace.insert.RowWriter;
import io.millrace.key.Shards;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * The Java that README.md and the pages under docs show, for the compiler; {@code DocumentsTest}
 * compares them. What needs R2DBC is in a class of this name there. Nothing of it is run.
 */
@SuppressWarnings("UnusedVariable")
final class DocumentedCode {

  record Order(long id, String customer) {

    Order withId(long id) {
      return new Order(id, customer);
    }

    Order withNumber(long number) {
      return new Order(number, customer);
    }

    Order withShard(long shard) {
      return new Order(shard, customer);
    }

    void writeTo(Mutation.WriteBuilder row) {
      row.set("id").to(id);
    }
  }

  private final DatabaseClient databaseClient;
  private final SpannerSequenceStore store;
  private final SequenceGenerator ids;
  private final Flux<Order> orders;

  DocumentedCode(
      DatabaseClient databaseClient,
      SpannerSequenceStore store,
      SequenceGenerator ids,
      Flux<Order> orders) {
    this.databaseClient = databaseClient;
    this.store = store;
    this.ids = ids;
    this.orders = orders;
  }

  Spanner clientForSequences() {
    Spanner spanner =
        SequenceClientSettings.applyTo(SpannerOptions.newBuilder().setProjectId("my-project"))
            .build()
            .getService();
    return spanner;
  }

  Mono<Long> insideATransaction() {
    TransactionalSequence<SpannerTransaction> numbers = store.transactional("invoice_no");

    Mono<Long> issued =
        SpannerTransactions.readWrite(
            databaseClient,
            tx -> numbers.next(tx).doOnNext(number -> tx.buffer(invoiceRow(number))));
    return issued;
  }

  Mono<Order> numberLast(TransactionalSequence<SpannerTransaction> numbers, Order order) {
    Mono<Order> saved =
        SpannerTransactions.readWrite(
            databaseClient,
            tx ->
                reserveStock(tx, order)
                    .then(numbers.next(tx))
                    .flatMap(number -> insert(tx, order.withNumber(number))));
    return saved;
  }

  private static Mono<Order> reserveStock(SpannerTransaction tx, Order order) {
    return tx.readRow("stock", Key.of(order.id()), List.of("items")).thenReturn(order);
  }

  private static Mono<Order> insert(SpannerTransaction tx, Order order) {
    return Mono.fromCallable(
        () -> {
          tx.buffer(invoiceRow(order.id()));
          return order;
        });
  }

  private static Mutation invoiceRow(long number) {
    return Mutation.newInsertBuilder("invoices").set("id").to(number).build();
  }

  Mono<PeriodicValue> periods(PeriodicNumbers numbers) {
    Mono<PeriodicValue> used =
        SpannerTransactions.readWrite(
            databaseClient, tx -> numbers.next(store.transactionals(), tx));
    return used;
  }

  Flux<Order> insertPipeline() {
    Flux<Order> saved =
        orders
            .transform(ids.assign(Order::withId))
            .transform(Shards.farmFingerprint(64).assign(Order::customer, Order::withShard))
            .transform(
                SpannerInserts.into(databaseClient, "orders", Order::writeTo)
                    .groupSize(500)
                    .concurrency(8)
                    .rows());
    return saved;
  }

  RowWriter<Append> appends() {
    return SpannerInserts.mutations(databaseClient, Append::inserts)
        .numbered(store.transactionals().createMissing(1), Append::stream, Append::size, Append::at)
        .writer();
  }

  /** As in the example of an event store. */
  private record Append(String stream, List<String> events, List<Long> versions) {

    int size() {
      return events.size();
    }

    Append at(List<Long> given) {
      return new Append(stream, events, given);
    }

    List<Mutation> inserts() {
      return versions.stream()
          .map(
              version ->
                  Mutation.newInsertBuilder("events")
                      .set("stream")
                      .to(stream)
                      .set("version")
                      .to(version)
                      .build())
          .toList();
    }
  }

  Mono<Long> manySequences() {
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .template("orders", options -> options.blockSize(100).createMissing(1))
            .build();

    Mono<Long> id = generators.forTemplate("orders", "acme").next();
    return id;
  }

  void testingYourProgram() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    InMemorySequenceStore store =
        InMemorySequenceStore.withSequence("order_id", 1).latency(Duration.ofMillis(5), time);
    SequenceGenerator ids = SequenceGenerator.builder(store, "order_id").scheduler(time).build();

    StepVerifier.create(ids.values().take(3))
        .then(() -> time.advanceTimeBy(Duration.ofMillis(5)))
        .expectNext(1L, 2L, 3L)
        .verifyComplete();
  }
}
