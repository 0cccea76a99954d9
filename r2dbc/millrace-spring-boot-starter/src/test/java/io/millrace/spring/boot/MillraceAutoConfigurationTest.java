package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceValueCallback;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import reactor.core.publisher.Mono;

/** The beans that are configured under each condition, and those that replace them. */
class MillraceAutoConfigurationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InMemorySequenceStore memory = InMemorySequenceStore.withSequence("invoices", 1);

  private final ApplicationContextRunner invoices =
      Starter.over(memory).withPropertyValues("millrace.sequences.invoices.block-size=10");

  /** Reactor looks for Micrometer once, so it must do so before a test hides Micrometer. */
  @BeforeAll
  static void letReactorLookForItsCompanions() {
    Mono.empty().block(PATIENCE);
  }

  private static @Nullable Long next(Sequence sequence) {
    return sequence.next().block(PATIENCE);
  }

  @Test
  void configuresNothingWithoutDatabase() {
    Starter.bare()
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(SequenceStore.class)
                    .doesNotHaveBean(SequenceGenerators.class)
                    .doesNotHaveBean(SequenceValueCallback.class)
                    .doesNotHaveBean(GeneratorsHealth.class));
  }

  @ParameterizedTest
  @CsvSource({
    "'', io.millrace.spanner.SpannerSequenceStore",
    "spanner, io.millrace.spanner.SpannerSequenceStore",
    "r2dbc, io.millrace.r2dbc.R2dbcSequenceStore"
  })
  void prefersSpannersClientUnlessAPropertySaysOtherwise(String store, Class<?> expected) {
    Starter.onH2()
        .withBean(DatabaseClient.class, Starter::spanner)
        .withPropertyValues(
            store.isEmpty() ? new String[0] : new String[] {"millrace.store=" + store})
        .run(
            context ->
                assertThat(context.getBeansOfType(SequenceStore.class).values())
                    .singleElement()
                    .isInstanceOf(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "false, spanner, com.google.cloud.spanner.DatabaseClient",
    "true, spanner, com.google.cloud.spanner.DatabaseClient",
    "false, r2dbc, io.r2dbc.spi.ConnectionFactory",
    "false, native-pooled-lo, io.r2dbc.spi.ConnectionFactory",
    "true, oracle, oracle"
  })
  void requestedStoreThatIsMissingEndsStart(boolean withR2dbc, String store, String missing) {
    (withR2dbc ? Starter.onH2() : Starter.bare())
        .withPropertyValues("millrace.store=" + store)
        .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(missing));
  }

  @Test
  void startsWithoutMicrometerActuatorOrSpringData() {
    invoices
        .withClassLoader(
            new FilteredClassLoader(
                "io.micrometer",
                "org.springframework.boot.actuate",
                "org.springframework.boot.health",
                "org.springframework.data"))
        .run(
            context -> {
              assertThat(context)
                  .hasNotFailed()
                  .doesNotHaveBean(SequenceValueCallback.class)
                  .doesNotHaveBean(SequencesEndpoint.class)
                  .doesNotHaveBean("millraceHealthContributor");
              assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1);
            });
  }

  record Consumer(
      @Qualifier("invoices") SequenceGenerator byQualifier,
      @Qualifier("invoice_id") SequenceGenerator underscored,
      SequenceGenerators generators) {}

  @Test
  void eachSequenceIsABeanWithItsNameAsQualifier() {
    invoices
        .withPropertyValues(
            "millrace.sequences.invoice_id.create=true",
            "millrace.sequences.invoice_id.start-value=7",
            "millrace.templates.orders.create=true",
            "millrace.templates.orders.start-value=100")
        .withBean(Consumer.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Consumer consumer = context.getBean(Consumer.class);
              assertThat(next(consumer.byQualifier())).isEqualTo(1);
              assertThat(next(consumer.generators().get("invoices"))).isEqualTo(2);
              assertThat(next(consumer.underscored())).isEqualTo(7);
              assertThat(consumer.generators().names()).containsExactly("invoices", "invoice_id");
              assertThat(next(consumer.generators().forTemplate("orders", "acme"))).isEqualTo(100);
            });
  }

  @Test
  void storeAndCallbackOfTheApplicationAreUsed() {
    Starter.onH2()
        .withBean(InMemorySequenceStore.class, () -> memory)
        .withBean(
            "own",
            SequenceValueCallback.class,
            () -> new SequenceValueCallback(new R2dbcMappingContext(), name -> null, name -> null))
        .withPropertyValues("millrace.sequences.invoices.block-size=10")
        .run(
            context -> {
              assertThat(context).hasSingleBean(SequenceStore.class);
              assertThat(context).hasSingleBean(SequenceValueCallback.class).hasBean("own");
              assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1);
              assertThat(memory.state("invoices").block(PATIENCE))
                  .isEqualTo(new SequenceState("invoices", 11));
            });
  }

  @Test
  void generatorsOfTheApplicationAreUsedWarmedUpAndDisposed() {
    SequenceGenerators own = SequenceGenerators.builder(memory).anyName().build();
    Starter.bare()
        .withPropertyValues("millrace.sequences.invoices.warmup=true")
        .withBean("own", SequenceGenerators.class, () -> own)
        .run(
            context -> {
              assertThat(context).getBean(SequenceGenerators.class).isSameAs(own);
              SequenceGenerator bean = context.getBean("invoices", SequenceGenerator.class);
              assertThat(bean.snapshot().buffered()).isPositive();
            });
    assertThat(own.isDisposed()).isTrue();
  }

  @Test
  void generatorOfTheApplicationWithTheNameOfASequenceIsUsed() {
    SequenceGenerator own = SequenceGenerator.builder(memory, "orders").build();
    invoices
        .withBean("invoices", SequenceGenerator.class, () -> own)
        .run(context -> assertThat(context).getBean(SequenceGenerator.class).isSameAs(own));
  }
}
