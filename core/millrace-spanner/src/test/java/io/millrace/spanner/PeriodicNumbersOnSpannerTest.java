package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import io.millrace.InvalidOptionException;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

@SpannerTest
class PeriodicNumbersOnSpannerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final PeriodicNumbers bills =
      PeriodicNumbers.of("bill", Period.YEAR)
          .zone(ZoneId.of("Europe/Berlin"))
          .format("INV-{yyyy}-{n:4}");
  private final PeriodicNumbers old = at("2026-12-31T22:59:59Z");
  private final PeriodicNumbers after = at("2026-12-31T23:00:00Z");

  private PeriodicNumbers at(String instant) {
    return bills.clock(Clock.fixed(Instant.parse(instant), ZoneOffset.UTC));
  }

  private static SpannerSequenceStore store(EmulatorDatabase database) {
    return SpannerSequenceStore.builder(database.client()).table("periodic").build();
  }

  @BeforeEach
  void createTables(EmulatorDatabase database) {
    database.update(
        store(database)
            .createTableDdl(database.dialect())
            .replaceFirst("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
    database.update(
        "CREATE TABLE IF NOT EXISTS bills (id STRING(20) NOT NULL, nr STRING(20) NOT NULL)"
            + " PRIMARY KEY (id)");
  }

  private static Mono<String> taken(EmulatorDatabase database, PeriodicNumbers numbers) {
    SpannerSequenceStore store = store(database);
    return SpannerTransactions.readWrite(
            database.client(), transaction -> numbers.next(store.transactionals(), transaction))
        .map(PeriodicValue::text);
  }

  @Test
  void twoStoresTakeTheFirstNumbersOfAYearAtOnce(EmulatorDatabase database) {
    PeriodicNumbers numbers = after.forTenant("at once");
    assertThat(
            Flux.merge(taken(database, numbers), taken(database, numbers))
                .collectList()
                .block(LIMIT))
        .containsExactlyInAnyOrder("INV-2027-0001", "INV-2027-0002");
  }

  record Bill(String id, String tenant, String number) {

    Bill withNumber(PeriodicValue value) {
      return new Bill(id, tenant, value.text());
    }

    void writeTo(Mutation.WriteBuilder columns) {
      columns.set("id").to(id).set("nr").to(number);
    }
  }

  @Test
  void aTransactionAndAWriterContinueOneCount(EmulatorDatabase database) {
    for (PeriodicNumbers numbers : List.of(old, after)) {
      String year = numbers == old ? "2026" : "2027";
      RowWriter<Bill> writer =
          SpannerInserts.into(database.client(), "bills", Bill::writeTo)
              .numbered(store(database).transactionals(), numbers, Bill::withNumber)
              .writer();
      assertThat(taken(database, numbers).block(LIMIT)).isEqualTo("INV-" + year + "-0001");
      assertThat(written(writer, "b" + year, "acme"))
          .containsExactlyInAnyOrder("INV-" + year + "-0002", "INV-" + year + "-0003");
      assertThat(taken(database, numbers).block(LIMIT)).isEqualTo("INV-" + year + "-0004");
      writer.disposeLater().block(LIMIT);
    }
  }

  private static List<String> written(RowWriter<Bill> writer, String id, String tenant) {
    return Objects.requireNonNull(
        Flux.range(0, 2)
            .flatMap(i -> writer.write(new Bill(id + i, tenant, "")))
            .map(Bill::number)
            .collectList()
            .block(LIMIT));
  }

  @Test
  void eachTenantHasItsOwnCountAndARefusedTenantFailsOnlyItsRow(EmulatorDatabase database) {
    RowWriter<Bill> writer =
        SpannerInserts.into(database.client(), "bills", Bill::writeTo)
            .numbered(store(database).transactionals(), old, Bill::tenant, Bill::withNumber)
            .writer();
    assertThat(taken(database, old.forTenant("acme")).block(LIMIT)).isEqualTo("INV-2026-0001");
    String tooLong = "t".repeat(64);
    for (String refused : List.of("a/b", tooLong)) {
      StepVerifier.create(writer.write(new Bill("refused", refused, "")))
          .verifyErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(InsertFailedException.class)
                      .hasRootCauseInstanceOf(InvalidOptionException.class));
    }
    assertThat(written(writer, "acme", "acme"))
        .containsExactlyInAnyOrder("INV-2026-0002", "INV-2026-0003");
    assertThat(written(writer, "other", "other"))
        .containsExactlyInAnyOrder("INV-2026-0001", "INV-2026-0002");
    StepVerifier.create(taken(database, old.forTenant(tooLong)))
        .verifyErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessageContainingAll("1 to 64 characters", "bill/ttt", "74"));
    writer.disposeLater().block(LIMIT);
  }
}
