package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import io.millrace.insert.RowWriter;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Invoices on a Spanner emulator. By hand they are inserted in the way of {@link ByHand}. */
record SpannerInvoices(Place place) implements InvoiceDatabase {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public String description() {
    return place.description() + ", which runs one transaction at a time";
  }

  @Override
  public String byHand() {
    return "readWriteTransaction().run(...): read the counter, write it and the row; a thread each";
  }

  @Override
  public int mostByHand() {
    return Perf.MAX_SESSIONS;
  }

  @Override
  public Invoices open(Invoices.Way way) {
    Place.RunDatabase database =
        place.open(
            "CREATE TABLE invoices (number INT64 NOT NULL, customer STRING(MAX) NOT NULL)"
                + " PRIMARY KEY (number)");
    return way == Invoices.Way.WRITER ? withWriter(database) : byHand(database);
  }

  private static Invoices withWriter(Place.RunDatabase database) {
    RowWriter<Invoice> writer =
        SpannerInserts.<Invoice>into(
                database.client(),
                Invoice.TABLE,
                (invoice, row) ->
                    row.set(Invoice.NUMBER)
                        .to(invoice.number())
                        .set(Invoice.CUSTOMER)
                        .to(invoice.customer()))
            .numbered(
                SpannerSequenceStore.create(database.client()).transactional(Place.SEQUENCE),
                Invoice::withNumber)
            .writer();
    return new Invoices(
        invoice -> writer.write(invoice).map(Invoice::number),
        numbers(database.client()),
        () -> {
          writer.disposeLater().block(PATIENCE);
          database.close();
        });
  }

  private static Invoices byHand(Place.RunDatabase database) {
    Scheduler threads =
        Schedulers.newBoundedElastic(Perf.MAX_SESSIONS, Integer.MAX_VALUE, "perf-invoices");
    return new Invoices(
        invoice ->
            Mono.fromCallable(() -> insert(database.client(), invoice.customer()))
                .subscribeOn(threads),
        numbers(database.client()),
        () -> {
          threads.dispose();
          database.close();
        });
  }

  private static long insert(DatabaseClient client, String customer) {
    Thread.interrupted(); // a request that was cancelled on this thread may have left it behind
    Long inserted =
        client
            .readWriteTransaction()
            .run(
                transaction -> {
                  long number = ByHand.readAndMove(transaction, 1);
                  transaction.buffer(
                      Mutation.newInsertBuilder(Invoice.TABLE)
                          .set(Invoice.NUMBER)
                          .to(number)
                          .set(Invoice.CUSTOMER)
                          .to(customer)
                          .build());
                  return number;
                });
    return Objects.requireNonNull(inserted);
  }

  private static Mono<List<Long>> numbers(DatabaseClient client) {
    return Mono.fromCallable(
            () -> {
              List<Long> numbers = new ArrayList<>();
              try (ResultSet rows =
                  client.singleUse().read(Invoice.TABLE, KeySet.all(), List.of(Invoice.NUMBER))) {
                while (rows.next()) {
                  numbers.add(rows.getLong(0));
                }
              }
              return numbers;
            })
        .subscribeOn(Schedulers.boundedElastic());
  }

  @Override
  public void close() {
    place.close();
  }
}
