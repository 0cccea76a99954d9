package io.millrace.spring.boot;

import static io.millrace.spring.boot.Starter.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ResolvableType;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Sequences without gaps from {@code millrace.gapless}. */
class GaplessPropertiesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ApplicationContextRunner bare =
      new ApplicationContextRunner().withConfiguration(Starter.with());

  private final ApplicationContextRunner onH2 =
      bare.withConfiguration(
              AutoConfigurations.of(
                  R2dbcAutoConfiguration.class, R2dbcTransactionManagerAutoConfiguration.class))
          .withPropertyValues(
              "spring.r2dbc.generate-unique-name=true",
              "millrace.create-table=true",
              "millrace.gapless.invoice_no.create=true");

  private static SpringTransactionalSequence sequence(
      AssertableApplicationContext context, String name) {
    return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
        context.getBeanFactory(), SpringTransactionalSequence.class, name);
  }

  private static TransactionalOperator transactions(AssertableApplicationContext context) {
    return TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
  }

  private static List<Long> taken(AssertableApplicationContext context, String name, int count) {
    TransactionalOperator transactions = transactions(context);
    return Objects.requireNonNull(
        Flux.range(0, count)
            .concatMap(i -> sequence(context, name).next().as(transactions::transactional))
            .collectList()
            .block(PATIENCE));
  }

  @Test
  void eachNameIsABeanWhoseRowIsCreated() {
    onH2.withPropertyValues(
            "millrace.gapless.credit_no.create=true", "millrace.gapless.credit_no.start-value=500")
        .run(
            context -> {
              assertThat(taken(context, "invoice_no", 3)).containsExactly(1L, 2L, 3L);
              assertThat(taken(context, "credit_no", 2)).containsExactly(500L, 501L);
              assertThat(context.getBean(SequenceStore.class).state("credit_no").block(PATIENCE))
                  .extracting(SequenceState::nextValue)
                  .isEqualTo(502L);
            });
  }

  @Test
  void beanOverSpannersClientIsForItsTransactions() {
    bare.withBean(DatabaseClient.class, Starter::spanner)
        .withPropertyValues("millrace.gapless.invoice_no.create=true")
        .run(
            context -> {
              assertThat(context).hasSingleBean(SpannerSequenceStore.class);
              TransactionalSequence<?> sequence = context.getBean(TransactionalSequence.class);
              assertThat(sequence.name()).isEqualTo("invoice_no");
              assertThat(
                      context.getBeanNamesForType(
                          ResolvableType.forClassWithGenerics(
                              TransactionalSequence.class, SpannerTransaction.class)))
                  .containsExactly("invoice_no");
            });
  }

  @Test
  void refusesGeneratorOfTheSameRow() {
    onH2.withPropertyValues("millrace.sequences.invoice_no.block-size=5")
        .run(
            context ->
                assertRefused(context, "gapless.invoice_no", "sequences.invoice_no", "makes gaps"));
    onH2.withPropertyValues(
            "millrace.gapless.[orders/acme].create=true", "millrace.templates.orders.create=true")
        .run(
            context ->
                assertRefused(
                    context, "gapless.[orders/acme]", "millrace.templates.orders", "makes gaps"));
  }

  @Test
  void missingDatabaseEndsStart() {
    bare.withPropertyValues("millrace.gapless.invoice_no.create=true")
        .run(
            context ->
                assertRefused(
                    context, "gapless.invoice_no", "R2dbcSequenceStore", "spring.r2dbc.url"));
    bare.withBean(InMemorySequenceStore.class, InMemorySequenceStore::create)
        .withPropertyValues("millrace.gapless.invoice_no.create=true")
        .run(context -> assertRefused(context, "gapless.invoice_no", "SpannerSequenceStore"));
  }

  @Test
  void refusesTooLargeStartValue() {
    onH2.withPropertyValues("millrace.gapless.invoice_no.start-value=9223372036854775807")
        .run(
            context ->
                assertRefused(context, "gapless.invoice_no.start-value", "9223372036854775806"));
  }

  @Test
  void beanOfTheApplicationIsUsed() {
    onH2.withBean(
            "invoice_no",
            SpringTransactionalSequence.class,
            () ->
                SpringTransactionalSequence.over(
                    new NoSequence(), ConnectionFactories.get("r2dbc:h2:mem:///own")))
        .run(
            context ->
                assertThat(context.getBeansOfType(SpringTransactionalSequence.class))
                    .containsOnlyKeys("invoice_no"));
  }

  private static final class NoSequence implements TransactionalSequence<Connection> {

    @Override
    public String name() {
      return "none";
    }

    @Override
    public Mono<List<Long>> next(Connection transaction, int count) {
      return Mono.error(new UnsupportedOperationException());
    }
  }

  /** A clock whose own zone is wrong on purpose. */
  private static final class SetClock extends Clock {

    private volatile Instant now = Instant.parse("2026-12-31T22:59:59Z");

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
      onH2.withBean(Clock.class, () -> clock)
          .withPropertyValues(
              "millrace.gapless.bill.period=year",
              "millrace.gapless.bill.zone=Europe/Berlin",
              "millrace.gapless.bill.format=INV-{yyyy}-{n:4}");

  private static SpringPeriodicNumbers periodic(AssertableApplicationContext context) {
    return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
        context.getBeanFactory(), SpringPeriodicNumbers.class, "bill");
  }

  @Test
  void numberHasThePeriodOfItsRequest() {
    yearly.run(
        context -> {
          SpringPeriodicNumbers numbers = periodic(context);
          TransactionalOperator transactions = transactions(context);
          PeriodicValue before =
              Objects.requireNonNull(
                  Mono.defer(numbers::next)
                      .doOnNext(taken -> clock.now = Instant.parse("2026-12-31T23:00:00Z"))
                      .as(transactions::transactional) // commits in the new year
                      .block(PATIENCE));
          assertThat(before)
              .isEqualTo(new PeriodicValue("2026", 1, "INV-2026-0001", LocalDate.of(2026, 12, 31)));
          Mono<List<PeriodicValue>> two = numbers.next(2).as(transactions::transactional);
          assertThat(two.block(PATIENCE))
              .extracting(PeriodicValue::text)
              .containsExactly("INV-2027-0001", "INV-2027-0002");
          clock.now = Instant.parse("2026-12-31T22:59:59Z"); // the clock goes back
          Mono<PeriodicValue> begunInTheOldYear =
              Mono.fromRunnable(() -> clock.now = Instant.parse("2026-12-31T23:00:00Z"))
                  .then(numbers.next())
                  .as(transactions::transactional);
          assertThat(begunInTheOldYear.map(PeriodicValue::text).block(PATIENCE))
              .isEqualTo("INV-2027-0003");
          assertThat(context.getBean(SequenceStore.class).state("bill/2026").block(PATIENCE))
              .isEqualTo(new SequenceState("bill/2026", 2));
          StepVerifier.create(numbers.next()).verifyError(IllegalTransactionStateException.class);
        });
  }

  @Test
  void periodicBeanOverSpannersClientIsADefinition() {
    bare.withBean(DatabaseClient.class, Starter::spanner)
        .withBean(Clock.class, () -> clock)
        .withPropertyValues(
            "millrace.gapless.bill.period=year-from-april", "millrace.gapless.bill.start-value=7")
        .run(
            context -> {
              PeriodicNumbers bill = context.getBean("bill", PeriodicNumbers.class);
              assertThat(bill.startValue()).isEqualTo(7);
              assertThat(bill.now().value(7).text()).isEqualTo("2026-27-000007");
            });
  }

  @Test
  void refusesWrongFormatZoneOrPeriod() {
    yearly
        .withPropertyValues("millrace.gapless.bill.format=INV-{n:4}")
        .run(
            context ->
                assertRefused(
                    context, "gapless.bill.format", "must contain {period}", "'INV-{n:4}'"));
    assertNotBound("zone", "Europe/Berlinn");
    assertNotBound("period", "fortnight");
    onH2.withPropertyValues("millrace.gapless.[de/bill].period=year")
        .run(context -> assertRefused(context, "gapless.[de/bill]", "must not contain /"));
    onH2.withPropertyValues(
            "millrace.gapless.bill.period=month", "millrace.sequences.[bill/1999-01].create=true")
        .run(context -> assertRefused(context, "gapless.bill", "bill/1999-01", "makes gaps"));
    onH2.withPropertyValues(
            "millrace.gapless.bill.period=month", "millrace.templates.bill.create=true")
        .run(
            context ->
                assertRefused(context, "gapless.bill", "millrace.templates.bill", "makes gaps"));
    onH2.withPropertyValues("millrace.gapless.invoice_no.zone=UTC")
        .run(
            context ->
                assertRefused(
                    context,
                    "gapless.invoice_no.zone",
                    "there is no period",
                    "millrace.gapless.invoice_no.period"));
    onH2.withPropertyValues("millrace.gapless.invoice_no.format={yyyy}-{n}")
        .run(context -> assertRefused(context, "gapless.invoice_no.format", "there is no period"));
    String longName = "n".repeat(65);
    onH2.withPropertyValues("millrace.gapless." + longName + ".period=year")
        .run(context -> assertRefused(context, "gapless." + longName, "1 to 64 characters"));
  }

  private void assertNotBound(String property, String value) {
    yearly
        .withPropertyValues("millrace.gapless.bill." + property + "=" + value)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("millrace.gapless.bill." + property)
                    .hasStackTraceContaining(value));
  }

  /** Code generated ahead of time calls the method that fitted the properties of the build. */
  @Test
  void refusesPeriodThatDiffersFromTheBuild() {
    yearly.run(
        context -> {
          GaplessNumbers.Source source = context.getBean(GaplessNumbers.Source.class);
          assertThatExceptionOfType(StartFailedException.class)
              .isThrownBy(() -> source.named("bill"))
              .satisfies(
                  refused -> {
                    assertThat(refused.property()).isEqualTo("gapless.bill.period");
                    assertThat(refused.getMessage()).contains("without a period", "build it again");
                  });
          assertThatExceptionOfType(StartFailedException.class)
              .isThrownBy(() -> source.periodic("invoice_no"))
              .satisfies(
                  refused -> {
                    assertThat(refused.property()).isEqualTo("gapless.invoice_no.period");
                    assertThat(refused.getMessage()).contains("with a period", "build it again");
                  });
        });
  }
}
