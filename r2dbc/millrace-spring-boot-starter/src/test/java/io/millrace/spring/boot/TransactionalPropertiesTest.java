package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ResolvableType;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sequences without gaps from {@code millrace.transactional}. */
class TransactionalPropertiesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ApplicationContextRunner bare =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class));

  private final ApplicationContextRunner onH2 =
      bare.withConfiguration(
              AutoConfigurations.of(
                  R2dbcAutoConfiguration.class, R2dbcTransactionManagerAutoConfiguration.class))
          .withPropertyValues(
              "spring.r2dbc.generate-unique-name=true",
              "millrace.create-table=true",
              "millrace.transactional.invoice_no.create=true");

  private static SpringTransactionalSequence sequence(
      AssertableApplicationContext context, String name) {
    return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
        context.getBeanFactory(), SpringTransactionalSequence.class, name);
  }

  private static List<Long> taken(AssertableApplicationContext context, String name, int count) {
    TransactionalOperator transactions =
        TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
    return Objects.requireNonNull(
        Flux.range(0, count)
            .concatMap(i -> sequence(context, name).next().as(transactions::transactional))
            .collectList()
            .block(PATIENCE));
  }

  private static void assertRefused(
      AssertableApplicationContext context, String property, String... reasons) {
    @Nullable Throwable cause = context.getStartupFailure();
    while (cause != null && !(cause instanceof InvalidConfigurationPropertyValueException)) {
      cause = cause.getCause();
    }
    InvalidConfigurationPropertyValueException refused =
        (InvalidConfigurationPropertyValueException)
            Objects.requireNonNull(cause, () -> "no property was refused");
    assertThat(refused.getName()).isEqualTo("millrace." + property);
    assertThat(refused.getReason()).contains(reasons);
  }

  @Test
  void eachNameIsABeanWithThatQualifierAndItsRowIsCreated() {
    onH2.withPropertyValues(
            "millrace.transactional.credit_no.create=true",
            "millrace.transactional.credit_no.row=CREDITS",
            "millrace.transactional.credit_no.start-value=500")
        .run(
            context -> {
              assertThat(taken(context, "invoice_no", 3)).containsExactly(1L, 2L, 3L);
              assertThat(taken(context, "credit_no", 2)).containsExactly(500L, 501L);
              assertThat(context.getBean(SequenceStore.class).state("CREDITS").block(PATIENCE))
                  .extracting(SequenceState::nextValue)
                  .isEqualTo(502L);
            });
  }

  @Test
  void aRowThatExistsIsLeftAsItIs() {
    onH2.withPropertyValues("millrace.transactional.invoice_no.start-value=7")
        .withBean(
            "before",
            ConnectionFactory.class,
            () -> ConnectionFactories.get("r2dbc:h2:mem:///kept?options=DB_CLOSE_DELAY=-1"))
        .run(context -> assertThat(taken(context, "invoice_no", 1)).containsExactly(7L));
    onH2.withPropertyValues("millrace.transactional.invoice_no.start-value=1")
        .withBean(
            "after",
            ConnectionFactory.class,
            () -> ConnectionFactories.get("r2dbc:h2:mem:///kept?options=DB_CLOSE_DELAY=-1"))
        .run(context -> assertThat(taken(context, "invoice_no", 1)).containsExactly(8L));
  }

  @Test
  void overSpannersClientTheBeanIsForItsTransactions() {
    bare.withBean(DatabaseClient.class, TransactionalPropertiesTest::spanner)
        .withPropertyValues("millrace.transactional.invoice_no.row=INV")
        .run(
            context -> {
              assertThat(context).hasSingleBean(SpannerSequenceStore.class);
              TransactionalSequence<?> sequence = context.getBean(TransactionalSequence.class);
              assertThat(sequence.sequence()).isEqualTo("INV");
              assertThat(
                      context.getBeanNamesForType(
                          ResolvableType.forClassWithGenerics(
                              TransactionalSequence.class, SpannerTransaction.class)))
                  .containsExactly("invoice_no");
            });
  }

  private static DatabaseClient spanner() {
    return (DatabaseClient)
        Proxy.newProxyInstance(
            DatabaseClient.class.getClassLoader(),
            new Class<?>[] {DatabaseClient.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.toString());
            });
  }

  @Test
  void aGeneratorOfTheSameNameOrRowIsRefused() {
    onH2.withPropertyValues("millrace.sequences.invoice_no.batch-size=5")
        .run(
            context ->
                assertRefused(
                    context, "transactional.invoice_no", "sequences.invoice_no", "makes gaps"));
    onH2.withPropertyValues("millrace.sequences.other.row=invoice_no")
        .run(context -> assertRefused(context, "transactional.invoice_no", "sequences.other"));
  }

  @Test
  void withoutADatabaseTheStartFailsAndSaysWhatIsMissing() {
    bare.withPropertyValues("millrace.transactional.invoice_no.create=true")
        .run(
            context ->
                assertRefused(
                    context, "transactional.invoice_no", "R2dbcSequenceStore", "spring.r2dbc.url"));
    bare.withBean(InMemorySequenceStore.class, InMemorySequenceStore::create)
        .withPropertyValues("millrace.transactional.invoice_no.create=true")
        .run(context -> assertRefused(context, "transactional.invoice_no", "SpannerSequenceStore"));
  }

  @Test
  void withSeveralTransactionManagersTheOnlyConnectionFactoryIsUsed() {
    onH2.withBean(
            "one",
            R2dbcTransactionManager.class,
            () -> new R2dbcTransactionManager(ConnectionFactories.get("r2dbc:h2:mem:///one")))
        .withBean(
            "two",
            R2dbcTransactionManager.class,
            () -> new R2dbcTransactionManager(ConnectionFactories.get("r2dbc:h2:mem:///two")))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aStartValueThatIsTooLargeIsRefused() {
    onH2.withPropertyValues("millrace.transactional.invoice_no.start-value=9223372036854775807")
        .run(
            context ->
                assertRefused(
                    context, "transactional.invoice_no.start-value", "9223372036854775806"));
  }

  @Test
  void aBeanOfTheApplicationIsUsedInPlaceOfTheNamed() {
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
    public String sequence() {
      return "none";
    }

    @Override
    public Mono<List<Long>> next(Connection transaction, int count) {
      return Mono.error(new UnsupportedOperationException());
    }
  }

  @Test
  void withoutSpringsTransactionsOverR2dbcTheStartFails() {
    onH2.withPropertyValues("millrace.transactional.invoice_no.create=true")
        .withClassLoader(new FilteredClassLoader(R2dbcTransactionManager.class))
        .run(context -> assertRefused(context, "transactional.invoice_no", "spring-r2dbc"));
  }

  @Test
  void ifItIsNotClearWhichTransactionsAreMeantTheStartFails() {
    StaticListableBeanFactory two = new StaticListableBeanFactory();
    for (String name : List.of("one", "two")) {
      ConnectionFactory connections = ConnectionFactories.get("r2dbc:h2:mem:///" + name);
      two.addBean(name, connections);
      two.addBean(name + "Transactions", new R2dbcTransactionManager(connections));
    }
    assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
        .isThrownBy(
            () ->
                TransactionConnections.of(
                    two.getBeanProvider(R2dbcTransactionManager.class),
                    two.getBeanProvider(ConnectionFactory.class)))
        .withMessageContaining("@Primary");
  }
}
