package io.millrace.spring.boot;

import static io.millrace.spring.boot.Starter.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ResolvableType;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Sequences without gaps from {@code millrace.gapless}. */
class GaplessPropertiesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ApplicationContextRunner onH2 =
      Starter.onH2()
          .withPropertyValues(
              "millrace.create-table=true", "millrace.gapless.invoice_no.create=true");

  private static List<Long> taken(AssertableApplicationContext context, String name, int count) {
    TransactionalOperator transactions =
        TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
    SpringTransactionalSequence sequence = context.getBean(name, SpringTransactionalSequence.class);
    return Objects.requireNonNull(
        sequence
            .next()
            .as(transactions::transactional)
            .repeat(count - 1)
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
                  .isEqualTo(new SequenceState("credit_no", 502));
            });
  }

  @Test
  void beanOverSpannersClientIsForItsTransactions() {
    Starter.bare()
        .withBean(DatabaseClient.class, Starter::spanner)
        .withPropertyValues("millrace.gapless.invoice_no.create=true")
        .run(
            context -> {
              assertThat(context).hasSingleBean(SpannerSequenceStore.class);
              assertThat(context.getBean(TransactionalSequence.class).name())
                  .isEqualTo("invoice_no");
              assertThat(
                      context.getBeanNamesForType(
                          ResolvableType.forClassWithGenerics(
                              TransactionalSequence.class, SpannerTransaction.class)))
                  .containsExactly("invoice_no");
            });
  }

  @Test
  void missingDatabaseEndsStart() {
    Starter.bare()
        .withPropertyValues("millrace.gapless.invoice_no.create=true")
        .run(
            context ->
                assertRefused(
                    context, "gapless.invoice_no", "R2dbcSequenceStore", "spring.r2dbc.url"));
    Starter.over(InMemorySequenceStore.create())
        .withPropertyValues("millrace.gapless.invoice_no.create=true")
        .run(context -> assertRefused(context, "gapless.invoice_no", "SpannerSequenceStore"));
  }

  @SuppressWarnings("unchecked")
  @Test
  void beanOfTheApplicationIsUsed() {
    onH2.withBean(
            "invoice_no",
            SpringTransactionalSequence.class,
            () ->
                SpringTransactionalSequence.over(
                    mock(TransactionalSequence.class),
                    ConnectionFactories.get("r2dbc:h2:mem:///own")))
        .run(
            context ->
                assertThat(context.getBeansOfType(SpringTransactionalSequence.class))
                    .containsOnlyKeys("invoice_no"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sequences.invoice_no.block-size=5 | gapless.invoice_no | sequences.invoice_no",
        "gapless.[orders/acme].create=true,millrace.templates.orders.create=true | gapless.[orders/acme] | millrace.templates.orders reserves blocks of the same row, which makes gaps",
        "gapless.bill.period=month,millrace.sequences.[bill/1999-01].create=true | gapless.bill | bill/1999-01",
        "gapless.bill.period=month,millrace.templates.bill.create=true | gapless.bill | millrace.templates.bill",
        "gapless.invoice_no.start-value=9223372036854775807 | gapless.invoice_no.start-value | 9223372036854775806",
        "gapless.invoice_no.zone=UTC | gapless.invoice_no.zone | set millrace.gapless.invoice_no.period",
        "gapless.invoice_no.format={yyyy}-{n} | gapless.invoice_no.format | there is no period",
        "gapless.bill.period=year,millrace.gapless.bill.format=INV-{n:4} | gapless.bill.format | must contain {period}",
        "gapless.nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn.period=year | gapless.nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn | 1 to 64 characters",
        "gapless.[de/bill].period=year | gapless.[de/bill] | must not contain /",
      })
  void propertyThatCannotWorkIsNamed(String setting, String property, String reason) {
    onH2.withPropertyValues(("millrace." + setting).split(","))
        .run(context -> assertRefused(context, property, reason));
  }

  @ParameterizedTest
  @CsvSource({"zone, Europe/Berlinn", "period, fortnight"})
  void unknownZoneOrPeriodIsNamed(String property, String value) {
    onH2.withPropertyValues("millrace.gapless.bill." + property + "=" + value)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("millrace.gapless.bill." + property)
                    .hasStackTraceContaining(value));
  }

  /** Code generated ahead of time calls the method that fitted the properties of the build. */
  @Test
  void refusesPeriodThatDiffersFromTheBuild() {
    onH2.withPropertyValues("millrace.gapless.bill.period=year")
        .run(
            context -> {
              GaplessNumbers.Source source = context.getBean(GaplessNumbers.Source.class);
              assertThatThrownBy(() -> source.named("bill"))
                  .hasMessageContainingAll("bill.period", "without a period", "build it again");
              assertThatThrownBy(() -> source.periodic("invoice_no"))
                  .hasMessageContainingAll("invoice_no.period", "with a period", "build it again");
            });
  }
}
