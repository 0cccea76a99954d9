package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.periodic.PeriodicValue;
import io.millrace.periodic.Periods;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@SpannerTest
class PeriodicTransactionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private SpannerSequenceStore store;

  @BeforeEach
  void createTable(EmulatorDatabase database) {
    store = SpannerSequenceStore.builder(database.client()).table("periodic").build();
    database.update(
        store
            .createTableDdl(database.dialect())
            .replaceFirst("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
  }

  private PeriodicTransactionalSequence<SpannerTransaction> sequence(String name, String instant) {
    return Periods.daily(name)
        .clock(Clock.fixed(Instant.parse(instant), ZoneOffset.UTC))
        .transactional(store, store::transactional);
  }

  @Test
  void numbersOfEachDayAreOneToN(EmulatorDatabase database) {
    var before = sequence("order", "2026-11-30T23:59:59Z");
    var after = sequence("order", "2026-12-01T00:00:00Z");
    List<String> texts =
        Objects.requireNonNull(
            Flux.range(0, 10)
                .concatMap(
                    i ->
                        SpannerTransactions.readWrite(
                            database.client(), i % 2 == 0 ? before::next : after::next))
                .map(PeriodicValue::text)
                .collectList()
                .block(LIMIT));
    assertThat(texts)
        .containsExactlyInAnyOrder(
            "2026-11-30-000001",
            "2026-11-30-000002",
            "2026-11-30-000003",
            "2026-11-30-000004",
            "2026-11-30-000005",
            "2026-12-01-000001",
            "2026-12-01-000002",
            "2026-12-01-000003",
            "2026-12-01-000004",
            "2026-12-01-000005");
  }

  /** The emulator aborts one of the two transactions; it is run again. */
  @Test
  void aTransactionThatHasBegunMayNeedANewRow(EmulatorDatabase database) {
    var sequence = sequence("late", "2026-11-30T23:59:59Z");
    Mono<PeriodicValue> taken =
        SpannerTransactions.readWrite(
            database.client(),
            transaction ->
                transaction
                    .query(Statement.of("SELECT COUNT(*) FROM periodic"))
                    .then(sequence.next(transaction)));
    assertThat(Objects.requireNonNull(taken.block(LIMIT)).text()).isEqualTo("2026-11-30-000001");
  }

  record Bill(String id, String number) {

    void writeTo(Mutation.WriteBuilder columns) {
      columns.set("id").to(id).set("nr").to(number);
    }
  }

  @Test
  void rowsOfAWriterHaveTheNumbersOfTheirYear(EmulatorDatabase database) {
    database.update(
        "CREATE TABLE bills (id STRING(20) NOT NULL, nr STRING(20) NOT NULL) PRIMARY KEY (id)");
    AtomicReference<Instant> time = new AtomicReference<>(Instant.parse("2026-12-31T22:59:59Z"));
    Clock clock =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return Objects.requireNonNull(time.get());
          }
        };
    PeriodicTransactionalSequence<SpannerTransaction> numbers =
        Periods.yearly("bill")
            .zone(ZoneId.of("Europe/Berlin"))
            .clock(clock)
            .format("INV-{yyyy}-{n:4}")
            .transactional(store, store::transactional);
    RowWriter<Bill> writer =
        SpannerInserts.into(database.client(), "bills", Bill::writeTo)
            .numbered(numbers, (bill, number) -> new Bill(bill.id(), number.text()))
            .writer();
    assertThat(written(writer, 0))
        .containsExactlyInAnyOrder("INV-2026-0001", "INV-2026-0002", "INV-2026-0003");
    time.set(Instant.parse("2026-12-31T23:00:00Z"));
    assertThat(written(writer, 3))
        .containsExactlyInAnyOrder("INV-2027-0001", "INV-2027-0002", "INV-2027-0003");
    assertThat(
            SpannerTransactions.readWrite(database.client(), numbers.forTenant("acme")::next)
                .block(LIMIT))
        .isEqualTo(new PeriodicValue("2027", 1, "INV-2027-0001", LocalDate.of(2027, 1, 1)));
    writer.disposeLater().block(LIMIT);
  }

  private static List<String> written(RowWriter<Bill> writer, int from) {
    return Objects.requireNonNull(
        Flux.range(from, 3)
            .flatMap(i -> writer.write(new Bill("b" + i, "")))
            .map(Bill::number)
            .collectList()
            .block(LIMIT));
  }
}
