package recipes;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.TransactionalSequence;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.UUID;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The code of docs/gapless.md and docs/inserts.md that {@link RecipesTest} runs. */
final class Recipes {

  private final ConnectionFactory connections;
  private final R2dbcSequenceStore store;
  private final Clock clock;

  Recipes(ConnectionFactory connections, R2dbcSequenceStore store, Clock clock) {
    this.connections = connections;
    this.store = store;
    this.clock = clock;
  }

  static R2dbcSequenceStore store(ConnectionFactory connections) {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
    store.createTable().block();
    return store;
  }

  record Invoice(UUID request, String tenant, String number, LocalDate date) {

    Invoice(UUID request, String tenant) {
      this(request, tenant, "", LocalDate.EPOCH);
    }

    Invoice withNumber(PeriodicValue value) {
      return new Invoice(request, tenant, value.text(), value.date());
    }

    void writeTo(InsertRow row) {
      row.set("request", request.toString())
          .set("tenant", tenant)
          .set("number", number)
          .set("issued", date);
    }
  }

  PeriodicNumbers numbers() {
    PeriodicNumbers numbers =
        PeriodicNumbers.of("invoice", Period.YEAR)
            .zone(ZoneId.of("Europe/Berlin"))
            .format("INV-{yyyy}-{n:6}");
    return numbers.clock(clock);
  }

  RowWriter<Invoice> invoices() {
    PeriodicNumbers numbers = numbers();
    RowWriter<Invoice> invoices =
        R2dbcInserts.into(connections, "invoice", Invoice::writeTo)
            .key("request")
            .numbered(store.transactionals(), numbers, Invoice::withNumber)
            .writer();
    return invoices;
  }

  Mono<Invoice> issue(RowWriter<Invoice> invoices) {
    Mono<Invoice> issued = invoices.write(new Invoice(UUID.randomUUID(), "acme"));
    return issued;
  }

  Mono<PeriodicValue> inTransaction(Function<PeriodicValue, Mono<Void>> work) {
    PeriodicNumbers numbers = numbers();
    R2dbcTransactions transactions = R2dbcTransactions.over(connections);
    Mono<PeriodicValue> used =
        transactions.readWrite(
            connection -> numbers.next(store.transactionals(), connection).delayUntil(work));
    return used;
  }

  RowWriter<Invoice> invoicesOfTenants() {
    PeriodicNumbers numbers = numbers();
    RowWriter<Invoice> invoices =
        R2dbcInserts.into(connections, "invoice", Invoice::writeTo)
            .key("request")
            .numbered(store.transactionals(), numbers, Invoice::tenant, Invoice::withNumber)
            .writer();
    return invoices;
  }

  Mono<PeriodicValue> ofTenant(Connection connection) {
    PeriodicNumbers numbers = numbers();
    Mono<PeriodicValue> number = numbers.forTenant("acme").next(store.transactionals(), connection);
    return number;
  }

  SequenceGenerators tenants() {
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .template("orders", options -> options.createMissing(1).blockSize(100))
            .build();
    return generators;
  }

  Mono<Long> orderId(SequenceGenerators generators, String tenant) {
    Mono<Long> id = generators.forTemplate("orders", tenant).next();
    return id;
  }

  record Event(UUID id, String stream, long version, String body) {

    Event withVersion(long next) {
      return new Event(id, stream, next, body);
    }

    void writeTo(InsertRow row) {
      row.set("id", id.toString()).set("stream", stream).set("version", version).set("body", body);
    }
  }

  RowWriter<Event> events() {
    RowWriter<Event> events =
        R2dbcInserts.into(connections, "event", Event::writeTo)
            .key("id")
            .numbered(store.transactionals().createMissing(1), Event::stream, Event::withVersion)
            .writer();
    return events;
  }

  record Product(long id, String name) {

    Product withId(long next) {
      return new Product(next, name);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("name", name);
    }
  }

  Flux<Product> imported(Flux<Product> products) {
    SequenceGenerator ids =
        SequenceGenerator.builder(store, "product_id")
            .blockSize(10_000)
            .lowWatermark(2_000)
            .createMissing(1)
            .build();
    Flux<Product> stored =
        products
            .transform(ids.assign(Product::withId))
            .transform(R2dbcInserts.into(connections, "product", Product::writeTo).key("id").rows())
            .doFinally(end -> ids.dispose());
    return stored;
  }

  Mono<Long> ordered(Function<Connection, Mono<Void>> work, String body) {
    R2dbcTransactions transactions = R2dbcTransactions.over(connections);
    TransactionalSequence<Connection> positions = store.transactional("outbox");

    Mono<Long> position =
        transactions.readWrite(
            connection ->
                work.apply(connection)
                    .then(positions.next(connection))
                    .flatMap(number -> message(connection, number, body)));
    return position;
  }

  private static Mono<Long> message(Connection connection, long position, String body) {
    return Mono.from(
            connection
                .createStatement("INSERT INTO outbox (position, body) VALUES ($1, $2)")
                .bind(0, position)
                .bind(1, body)
                .execute())
        .flatMap(result -> Mono.from(result.getRowsUpdated()))
        .thenReturn(position);
  }

  Mono<Long> issueDraft(UUID draft) {
    R2dbcTransactions transactions = R2dbcTransactions.over(connections);
    TransactionalSequence<Connection> numbers = store.transactional("receipt");

    Mono<Long> issued =
        transactions.readWrite(
            connection ->
                numbers.next(connection).delayUntil(number -> issue(connection, draft, number)));
    return issued;
  }

  /** Fails if the draft is issued already, so the transaction takes no number. */
  private static Mono<Long> issue(Connection connection, UUID draft, long number) {
    return Mono.from(
            connection
                .createStatement("UPDATE receipt SET number = $1 WHERE id = $2 AND number IS NULL")
                .bind(0, number)
                .bind(1, draft.toString())
                .execute())
        .flatMap(result -> Mono.from(result.getRowsUpdated()))
        .filter(rows -> rows == 1)
        .switchIfEmpty(Mono.error(() -> new IllegalStateException("issued already: " + draft)));
  }

  Flux<String> after(Connection connection, long last) {
    return Flux.from(
            connection
                .createStatement("SELECT body FROM outbox WHERE position > $1 ORDER BY position")
                .bind(0, last)
                .execute())
        .concatMap(result -> result.map(row -> String.valueOf(row.get(0, String.class))));
  }
}
