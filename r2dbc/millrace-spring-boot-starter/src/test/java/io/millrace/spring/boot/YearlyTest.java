package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SpringPeriodicNumbers;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Numbers that restart each year. */
class YearlyTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Instant NEW_YEAR = Instant.parse("2026-12-31T23:00:00Z"); // in Berlin
  private static final Instant OLD_YEAR = NEW_YEAR.minusSeconds(1);

  /** A clock whose own zone is wrong on purpose. */
  private static final class SetClock extends Clock {

    private volatile Instant now = OLD_YEAR;

    @Override
    public ZoneId getZone() {
      return ZoneId.of("Pacific/Kiritimati");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private final SetClock clock = new SetClock();

  private final ApplicationContextRunner yearly =
      Starter.onH2()
          .withBean(Clock.class, () -> clock)
          .withPropertyValues(
              "millrace.create-table=true",
              "millrace.gapless.bill.period=year",
              "millrace.gapless.bill.zone=Europe/Berlin",
              "millrace.gapless.bill.format=INV-{yyyy}-{n:4}");

  private static TransactionalOperator transactions(AssertableApplicationContext context) {
    return TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
  }

  @Test
  void numberHasThePeriodOfItsRequest() {
    yearly.run(
        context -> {
          SpringPeriodicNumbers numbers = context.getBean("bill", SpringPeriodicNumbers.class);
          TransactionalOperator transactions = transactions(context);
          PeriodicValue before =
              Objects.requireNonNull(
                  Mono.defer(numbers::next)
                      .doOnNext(taken -> clock.now = NEW_YEAR)
                      .as(transactions::transactional) // commits in the new year
                      .block(PATIENCE));
          assertThat(before)
              .isEqualTo(new PeriodicValue("2026", 1, "INV-2026-0001", LocalDate.of(2026, 12, 31)));
          Mono<List<PeriodicValue>> two = numbers.next(2).as(transactions::transactional);
          assertThat(two.block(PATIENCE))
              .extracting(PeriodicValue::text)
              .containsExactly("INV-2027-0001", "INV-2027-0002");
          clock.now = OLD_YEAR; // the clock goes back
          Mono<PeriodicValue> begunInTheOldYear =
              Mono.fromRunnable(() -> clock.now = NEW_YEAR)
                  .then(numbers.next())
                  .as(transactions::transactional);
          assertThat(begunInTheOldYear.map(PeriodicValue::text).block(PATIENCE))
              .isEqualTo("INV-2027-0003");
          assertThat(context.getBean(SequenceStore.class).state("bill/2026").block(PATIENCE))
              .isEqualTo(new SequenceState("bill/2026", 2));
          StepVerifier.create(numbers.next()).verifyError(IllegalTransactionStateException.class);
        });
  }

  record Bill(String number, String customer) {}

  @Test
  void transactionsAndAWriterShareTheNumbersOfEachYear() {
    yearly.run(
        context -> {
          ConnectionFactory connections = context.getBean(ConnectionFactory.class);
          org.springframework.r2dbc.core.DatabaseClient.create(connections)
              .sql("CREATE TABLE bill (number VARCHAR(20) PRIMARY KEY, customer VARCHAR(20))")
              .then()
              .block(PATIENCE);
          SpringPeriodicNumbers numbers = context.getBean("bill", SpringPeriodicNumbers.class);
          RowWriter<Bill> writer =
              R2dbcInserts.<Bill>into(
                      connections,
                      "BILL",
                      (bill, row) ->
                          row.set("NUMBER", bill.number()).set("CUSTOMER", bill.customer()))
                  .key("CUSTOMER")
                  .numbered(
                      context.getBean(R2dbcSequenceStore.class).transactionals(),
                      numbers.definition(),
                      (bill, value) -> new Bill(value.text(), bill.customer()))
                  .writer();
          for (String year : List.of("2026", "2027")) {
            Flux<String> taken =
                Mono.defer(numbers::next)
                    .as(transactions(context)::transactional)
                    .subscribeOn(Schedulers.boundedElastic()) // H2 blocks its caller
                    .map(PeriodicValue::text)
                    .repeat(9);
            Flux<String> written =
                Flux.range(0, 10)
                    .flatMap(i -> writer.write(new Bill("", year + i)))
                    .map(Bill::number);
            assertThat(Flux.merge(taken, written).collectList().block(PATIENCE))
                .containsExactlyInAnyOrderElementsOf(
                    LongStream.rangeClosed(1, 20)
                        .mapToObj(n -> "INV-%s-%04d".formatted(year, n))
                        .toList());
            clock.now = NEW_YEAR;
          }
          writer.disposeLater().block(PATIENCE);
        });
  }

  @Test
  void beanOverSpannersClientIsADefinition() {
    Starter.bare()
        .withBean(Clock.class, () -> clock)
        .withBean(DatabaseClient.class, Starter::spanner)
        .withPropertyValues(
            "millrace.gapless.bill.period=year-from-april", "millrace.gapless.bill.start-value=7")
        .run(
            context -> {
              PeriodicNumbers bill = context.getBean("bill", PeriodicNumbers.class);
              assertThat(bill.startValue()).isEqualTo(7);
              assertThat(bill.now().value(7).text()).isEqualTo("2026-27-000007");
            });
  }
}
