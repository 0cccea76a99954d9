package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SequenceConnectionFactory;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.SequenceValueCallback;
import io.millrace.spring.data.spanner.SpannerR2dbcAutoConfiguration;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcRepositoriesAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.connection.TransactionAwareConnectionFactoryProxy;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import shop.Shop;

/** The beans that are configured under each condition, and those that replace them. */
class MillraceAutoConfigurationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** No database at all. */
  private final ApplicationContextRunner bare =
      new ApplicationContextRunner().withConfiguration(Starter.with());

  private final ApplicationContextRunner onH2 =
      new ApplicationContextRunner()
          .withConfiguration(
              Starter.with(
                  R2dbcAutoConfiguration.class,
                  DataR2dbcAutoConfiguration.class,
                  SpannerR2dbcAutoConfiguration.class))
          .withPropertyValues("spring.r2dbc.generate-unique-name=true");

  private static InMemorySequenceStore memory() {
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("invoices", 1);
    store.create("orders", 1).block(PATIENCE);
    return store;
  }

  private final ApplicationContextRunner inMemory =
      bare.withBean(InMemorySequenceStore.class, MillraceAutoConfigurationTest::memory);

  private final ApplicationContextRunner invoices =
      inMemory.withPropertyValues("millrace.sequences.invoices.block-size=10");

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
    bare.run(
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
    onH2.withBean(DatabaseClient.class, Starter::spanner)
        .withPropertyValues(
            store.isEmpty() ? new String[0] : new String[] {"millrace.store=" + store})
        .run(
            context ->
                assertThat(context.getBeansOfType(SequenceStore.class).values())
                    .singleElement()
                    .isInstanceOf(expected));
  }

  private void assertSpannerIsUnclear(ApplicationContextRunner withSpanner, String remedy) {
    withSpanner
        .withPropertyValues("millrace.sequences.a.create=true")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasRootCauseInstanceOf(StartFailedException.class)
                    .rootCause()
                    .hasMessageContaining("com.google.cloud.spanner.DatabaseClient")
                    .extracting(failure -> ((StartFailedException) failure).action())
                    .asString()
                    .contains(remedy, "millrace.store=r2dbc"));
    withSpanner.run(
        context -> assertThat(context).hasNotFailed().doesNotHaveBean(SequenceStore.class));
    withSpanner
        .withPropertyValues("millrace.store=r2dbc")
        .run(context -> assertThat(context).hasSingleBean(R2dbcSequenceStore.class));
  }

  @Test
  void unclearClientOfSpannerEndsStartBesideR2dbc() {
    assertSpannerIsUnclear(
        onH2.withBean("first", DatabaseClient.class, Starter::spanner)
            .withBean("second", DatabaseClient.class, Starter::spanner),
        "@Primary");
    assertSpannerIsUnclear(
        onH2.withBean(DatabaseClient.class, Starter::spanner)
            .withClassLoader(new FilteredClassLoader("io.millrace.spanner")),
        "io.millrace:millrace-spanner");
  }

  @Test
  void startsWithoutMicrometerHealthOrSpringData() {
    invoices
        .withClassLoader(
            new FilteredClassLoader(
                "io.micrometer", "org.springframework.boot.health", "org.springframework.data"))
        .run(
            context -> {
              assertThat(context)
                  .hasNotFailed()
                  .doesNotHaveBean(SequenceValueCallback.class)
                  .doesNotHaveBean("millraceHealthContributor");
              assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1);
            });
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
    (withR2dbc ? onH2 : bare)
        .withPropertyValues("millrace.store=" + store)
        .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(missing));
  }

  @ParameterizedTest
  @CsvSource({"native, 52", "native-pooled-lo, 51"})
  void takesValuesFromDatabaseSequenceIfAPropertySaysSo(String store, long next) {
    onH2.withPropertyValues(
            "millrace.store=" + store,
            "millrace.sequences.ORDER_ID.create=true",
            "millrace.sequences.ORDER_ID.block-size=50")
        .run(
            context -> {
              assertThat(context.getBean(SequenceStore.class))
                  .isInstanceOf(R2dbcNativeSequenceStore.class);
              org.springframework.r2dbc.core.DatabaseClient.create(
                      context.getBean(ConnectionFactory.class))
                  .sql("CREATE SEQUENCE order_id INCREMENT BY 50")
                  .then()
                  .block(PATIENCE);
              assertThat(context.getBean(SequenceGenerator.class).next(50).block(PATIENCE))
                  .contains(1L, 50L);
              assertThat(context.getBean(SequenceStore.class).state("ORDER_ID").block(PATIENCE))
                  .isEqualTo(new SequenceState("ORDER_ID", next));
            });
  }

  @Test
  void missingDatabaseSequenceEndsStart() {
    ApplicationContextRunner sequences =
        onH2.withPropertyValues("millrace.store=native", "millrace.sequences.ids.block-size=50");
    sequences.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("CREATE SEQUENCE \"ids\""));
    sequences
        .withPropertyValues("millrace.sequences.ids.create=true")
        .run(context -> assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1));
  }

  @Test
  void storeOfTheApplicationIsUsed() {
    onH2.withBean(InMemorySequenceStore.class, MillraceAutoConfigurationTest::memory)
        .withPropertyValues("millrace.sequences.invoices.block-size=10")
        .run(
            context -> {
              assertThat(context).hasSingleBean(SequenceStore.class);
              assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1);
              assertThat(
                      context
                          .getBean(InMemorySequenceStore.class)
                          .state("invoices")
                          .block(PATIENCE))
                  .isEqualTo(new SequenceState("invoices", 11));
            });
  }

  @Test
  void generatorsOfTheApplicationAreUsedAndDisposed() {
    SequenceGenerators own = SequenceGenerators.builder(memory()).anyName().build();
    invoices
        .withBean("own", SequenceGenerators.class, () -> own)
        .run(
            context -> {
              assertThat(context).getBean(SequenceGenerators.class).isSameAs(own);
              assertThat(next(context.getBean("invoices", SequenceGenerator.class))).isEqualTo(1);
            });
    assertThat(own.isDisposed()).isTrue();
  }

  @Test
  void generatorsOfTheApplicationAreWarmedUpWithoutAStoreBean() {
    bare.withPropertyValues("millrace.sequences.invoices.warmup=true")
        .withBean(
            SequenceGenerators.class, () -> SequenceGenerators.builder(memory()).anyName().build())
        .run(
            context ->
                assertThat(context.getBean(SequenceGenerator.class).snapshot().buffered())
                    .isPositive());
  }

  record Consumer(
      @Qualifier("invoices") SequenceGenerator byQualifier,
      @Qualifier("invoice_id") SequenceGenerator underscored,
      SequenceGenerators generators) {}

  @Test
  void eachSequenceIsABeanWithItsNameAsQualifier() {
    inMemory
        .withPropertyValues(
            "millrace.sequences.invoices.block-size=10",
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

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage(basePackageClasses = Shop.class)
  static class WithARepository {}

  record ByQualifier(@Qualifier("purchases") SequenceGenerator purchases) {}

  @Test
  void repositoryMayHaveTheNameOfASequence() {
    onH2.withConfiguration(AutoConfigurations.of(DataR2dbcRepositoriesAutoConfiguration.class))
        .withUserConfiguration(WithARepository.class)
        .withBean(ByQualifier.class)
        .withPropertyValues(
            "millrace.create-table=true",
            "millrace.sequences.purchases.create=true",
            "millrace.sequences.order_id.create=true")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean("purchases")).isInstanceOf(ReactiveCrudRepository.class);
              assertThat(context.getBean("purchasesSequenceGenerator"))
                  .isInstanceOf(SequenceGenerator.class);
              assertThat(context.getBean(ByQualifier.class).purchases.name())
                  .isEqualTo("purchases");
            });
  }

  @Test
  void generatorOfTheApplicationWithTheNameOfASequenceIsUsed() {
    SequenceGenerator own = SequenceGenerator.builder(memory(), "orders").build();
    invoices
        .withBean("invoices", SequenceGenerator.class, () -> own)
        .run(context -> assertThat(context).getBean(SequenceGenerator.class).isSameAs(own));
  }

  @Test
  void callbackOfTheApplicationIsUsed() {
    onH2.withBean(
            "own",
            SequenceValueCallback.class,
            () -> new SequenceValueCallback(new R2dbcMappingContext(), name -> null, name -> null))
        .run(
            context ->
                assertThat(context).hasSingleBean(SequenceValueCallback.class).hasBean("own"));
  }

  /** A factory of a driver that says its name when it is used. */
  private static ConnectionFactory named(String name) {
    return new ConnectionFactory() {
      @Override
      public Mono<Connection> create() {
        return Mono.error(new IllegalStateException("used " + name));
      }

      @Override
      public ConnectionFactoryMetadata getMetadata() {
        return () -> "PostgreSQL";
      }
    };
  }

  private static void assertUses(ApplicationContext context, String name) {
    StepVerifier.create(context.getBean(R2dbcSequenceStore.class).state("any"))
        .expectErrorMessage("used " + name)
        .verify(PATIENCE);
  }

  @Configuration(proxyBeanMethods = false)
  static class Marked {
    @Bean(defaultCandidate = false)
    @SequenceConnectionFactory
    ConnectionFactory marked() {
      return named("marked");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {
    @Bean
    ConnectionFactory first() {
      return named("first");
    }

    @Bean
    ConnectionFactory second() {
      return named("second");
    }
  }

  @Test
  void usesTheMarkedConnections() {
    bare.withUserConfiguration(Marked.class).run(context -> assertUses(context, "marked"));
    bare.withUserConfiguration(Marked.class, TwoDatabases.class)
        .run(context -> assertUses(context, "marked"));
    onH2.withUserConfiguration(Marked.class)
        .run(
            context -> {
              assertUses(context, "marked");
              assertThat(context.getBean("connectionFactory"))
                  .isNotSameAs(context.getBean("marked"));
            });
  }

  @Test
  void usesThePrimaryOfSeveralConnections() {
    bare.withUserConfiguration(TwoDatabases.class)
        .withBean(
            "primary",
            ConnectionFactory.class,
            () -> named("primary"),
            definition -> definition.setPrimary(true))
        .run(context -> assertUses(context, "primary"));
  }

  @Test
  void factoryThatUnwrapsToItselfIsUsed() {
    interface Wrapping extends ConnectionFactory, Wrapped<ConnectionFactory> {}
    Wrapping itself =
        new Wrapping() {
          @Override
          public Mono<Connection> create() {
            return Mono.error(new IllegalStateException("used itself"));
          }

          @Override
          public ConnectionFactoryMetadata getMetadata() {
            return () -> "PostgreSQL";
          }

          @Override
          public ConnectionFactory unwrap() {
            return this;
          }
        };
    bare.withBean(ConnectionFactory.class, () -> itself)
        .run(context -> assertUses(context, "itself"));
  }

  @Test
  void severalDatabasesWithoutSequencesConfigureNothing() {
    bare.withUserConfiguration(TwoDatabases.class)
        .run(
            context ->
                assertThat(context).hasNotFailed().doesNotHaveBean(SequenceGenerators.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class Routing {
    @Bean
    ConnectionFactory routing() {
      AbstractRoutingConnectionFactory routing =
          new AbstractRoutingConnectionFactory() {
            @Override
            protected Mono<Object> determineCurrentLookupKey() {
              return Mono.deferContextual(context -> Mono.just(context.get("tenant")));
            }
          };
      routing.setTargetConnectionFactories(Map.of("acme", named("acme")));
      routing.setDefaultTargetConnectionFactory(named("others"));
      routing.afterPropertiesSet();
      return new TransactionAwareConnectionFactoryProxy(routing);
    }
  }

  @Test
  void connectionsThatChooseTheDatabaseByTheContextEndStart() {
    onH2.withUserConfiguration(Routing.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("chooses its database by the Context"));
  }

  @Test
  void customizersAreCalledAfterThePropertiesForSequencesAndTemplates() {
    List<String> names = new ArrayList<>();
    invoices
        .withPropertyValues("millrace.templates.tickets.create=true")
        .withBean(
            SequenceGeneratorBuilderCustomizer.class,
            () ->
                (name, builder) -> {
                  names.add(name);
                  builder.blockSize(3);
                })
        .run(
            context -> {
              assertThat(names).contains("invoices", "tickets");
              assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1);
              assertThat(
                      context
                          .getBean(InMemorySequenceStore.class)
                          .state("invoices")
                          .block(PATIENCE))
                  .isEqualTo(new SequenceState("invoices", 4));
            });
  }
}
