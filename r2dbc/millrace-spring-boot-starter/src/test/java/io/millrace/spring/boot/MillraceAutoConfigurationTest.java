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
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spring.SequenceConnectionFactory;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.SequenceValueCallback;
import io.millrace.spring.data.spanner.SpannerR2dbcAutoConfiguration;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcRepositoriesAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.connection.TransactionAwareConnectionFactoryProxy;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;
import reactor.core.publisher.Mono;
import shop.Shop;

/** What is configured, and what gives way, under each condition. */
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

  /** Spanner's client, as far as it is used before the first request. */
  private static DatabaseClient spanner() {
    return (DatabaseClient)
        Proxy.newProxyInstance(
            DatabaseClient.class.getClassLoader(),
            new Class<?>[] {DatabaseClient.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.toString());
            });
  }

  private static InMemorySequenceStore memory() {
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("invoices", 1);
    store.create("orders", 1).block(PATIENCE);
    return store;
  }

  private final ApplicationContextRunner inMemory =
      bare.withBean(InMemorySequenceStore.class, MillraceAutoConfigurationTest::memory);

  private final ApplicationContextRunner invoices =
      inMemory.withPropertyValues("millrace.sequences.invoices.block-size=10");

  /** Reactor looks once for what the tests hide from it. */
  @BeforeAll
  static void letReactorLookForItsCompanions() {
    Mono.empty().block(PATIENCE);
  }

  private static @Nullable Long next(Sequence sequence) {
    return sequence.next().block(PATIENCE);
  }

  private static Throwable refusal(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidConfigurationPropertyValueException) {
        return cause;
      }
    }
    throw new AssertionError("no property was refused", failure);
  }

  @Test
  void nothingIsConfiguredWithoutADatabase() {
    bare.run(
        context ->
            assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(SequenceStore.class)
                .doesNotHaveBean(SequenceGenerators.class)
                .doesNotHaveBean(SequenceValueCallback.class)
                .doesNotHaveBean(GeneratorsHealth.class));
  }

  @Test
  void spannersClientGoesBeforeR2dbcUnlessAPropertySaysOtherwise() {
    ApplicationContextRunner both =
        onH2.withBean(DatabaseClient.class, MillraceAutoConfigurationTest::spanner);
    both.run(
        context ->
            assertThat(context)
                .hasSingleBean(SequenceStore.class)
                .hasSingleBean(SpannerSequenceStore.class));
    both.withPropertyValues("millrace.store=r2dbc")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(SequenceStore.class)
                    .hasSingleBean(R2dbcSequenceStore.class));
    both.withPropertyValues("millrace.store=spanner")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(SequenceStore.class)
                    .hasSingleBean(SpannerSequenceStore.class));
  }

  @Test
  void withoutTheStoreOverSpannersClientTheChoiceIsLeftToNobodyElse() {
    ApplicationContextRunner both =
        onH2.withBean(DatabaseClient.class, MillraceAutoConfigurationTest::spanner)
            .withClassLoader(new FilteredClassLoader("io.millrace.spanner"));
    both.run(
        context ->
            assertThat(refusal(context.getStartupFailure()))
                .hasMessageContaining("millrace.store")
                .hasMessageContaining("io.millrace:millrace-spanner")
                .hasMessageContaining("millrace.store=r2dbc"));
    both.withPropertyValues("millrace.store=r2dbc")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(SequenceStore.class)
                    .hasSingleBean(R2dbcSequenceStore.class));
  }

  @Test
  void itStartsWithSpannersClientAloneAndWithoutTheStoreOverIt() {
    bare.withBean(DatabaseClient.class, MillraceAutoConfigurationTest::spanner)
        .withClassLoader(new FilteredClassLoader("io.millrace.spanner"))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SequenceStore.class));
  }

  @Test
  void itStartsWithoutMicrometerHealthOrSpringData() {
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

  @Test
  void aStoreThatWasAskedForAndCannotBeIsAnError() {
    bare.withPropertyValues("millrace.store=spanner")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .hasMessageContaining("millrace.store")
                    .hasMessageContaining("com.google.cloud.spanner.DatabaseClient"));
    onH2.withPropertyValues("millrace.store=spanner")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .hasMessageContaining("com.google.cloud.spanner.DatabaseClient"));
    bare.withPropertyValues("millrace.store=r2dbc")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .hasMessageContaining("io.r2dbc.spi.ConnectionFactory"));
    bare.withPropertyValues("millrace.store=native-pooled-lo")
        .run(
            context ->
                assertThat(refusal(context.getStartupFailure()))
                    .hasMessageContaining("io.r2dbc.spi.ConnectionFactory"));
    onH2.withPropertyValues("millrace.store=oracle")
        .run(
            context -> assertThat(context).getFailure().rootCause().hasMessageContaining("oracle"));
  }

  @ParameterizedTest
  @CsvSource({"native, 52", "native-pooled-lo, 51"})
  void theStoreIsOverTheSequencesOfTheDatabaseIfAPropertySaysSo(String store, long next) {
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
  void aMissingSequenceOfTheDatabaseStopsTheStart() {
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
  void theApplicationsStoreGoesBefore() {
    onH2.withBean(InMemorySequenceStore.class, MillraceAutoConfigurationTest::memory)
        .withPropertyValues("millrace.sequences.invoices.block-size=10")
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(SequenceStore.class)
                  .doesNotHaveBean(StoreConnections.class);
              assertThat(next(context.getBean(SequenceGenerator.class))).isEqualTo(1);
              assertThat(
                      context
                          .getBean(InMemorySequenceStore.class)
                          .state("invoices")
                          .block(PATIENCE))
                  .extracting(state -> state.nextValue())
                  .isEqualTo(11L);
            });
  }

  @Test
  void theApplicationsGeneratorsGoBefore() {
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
            "millrace.sequences.invoice_id.start-value=7")
        .withBean(Consumer.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Consumer consumer = context.getBean(Consumer.class);
              assertThat(next(consumer.byQualifier())).isEqualTo(1);
              assertThat(next(consumer.generators().get("invoices"))).isEqualTo(2);
              assertThat(next(consumer.underscored())).isEqualTo(7);
              assertThat(consumer.generators().names()).containsExactly("invoices", "invoice_id");
            });
  }

  @Test
  void aBeanOfAnotherKindMayHaveASequencesName() {
    invoices
        .withBean("invoices", String.class, () -> "some repository")
        .withBean(ByQualifier.class)
        .run(
            context -> {
              assertThat(context.getBean("invoices")).isEqualTo("some repository");
              assertThat(context.getBean("invoicesSequenceGenerator"))
                  .isInstanceOf(SequenceGenerator.class);
              assertThat(context.getBean(ByQualifier.class).invoices.name()).isEqualTo("invoices");
            });
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage(basePackageClasses = Shop.class)
  static class WithARepository {}

  @Test
  void aRepositoryThatSpringBootFindsMayHaveASequencesName() {
    onH2.withConfiguration(AutoConfigurations.of(DataR2dbcRepositoriesAutoConfiguration.class))
        .withUserConfiguration(WithARepository.class)
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
            });
  }

  record ByQualifier(@Qualifier("invoices") SequenceGenerator invoices) {}

  @Test
  void aGeneratorOfTheApplicationsWithThatNameGoesBefore() {
    SequenceGenerator own = SequenceGenerator.builder(memory(), "orders").build();
    invoices
        .withBean("invoices", SequenceGenerator.class, () -> own)
        .run(context -> assertThat(context).getBean(SequenceGenerator.class).isSameAs(own));
  }

  @Test
  void theCallbackGivesWayToTheApplications() {
    onH2.withBean("own", SequenceValueCallback.class, () -> callbackOfItsOwn())
        .run(
            context ->
                assertThat(context).hasSingleBean(SequenceValueCallback.class).hasBean("own"));
  }

  private static SequenceValueCallback callbackOfItsOwn() {
    return new SequenceValueCallback(new R2dbcMappingContext(), name -> null, name -> null);
  }

  private static long nextValue(SequenceStore store, String sequence) {
    return store.state(sequence).blockOptional(PATIENCE).orElseThrow().nextValue();
  }

  @Test
  void theStoreHasTheConnectionFactoryThatIsMarkedForIt() {
    onH2.withUserConfiguration(MarkedConnections.class)
        .run(
            context -> {
              ConnectionFactory marked = context.getBean("marked", ConnectionFactory.class);
              assertThat(context.getBean(StoreConnections.class).factory()).isSameAs(marked);
              assertThat(context.getBean("connectionFactory")).isNotSameAs(marked);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class MarkedConnections {
    @Bean(defaultCandidate = false)
    @SequenceConnectionFactory
    ConnectionFactory marked() {
      return ConnectionFactories.get("r2dbc:h2:mem:///marked?options=DB_CLOSE_DELAY=-1");
    }
  }

  @Test
  void theMarkedConnectionsMayBeTheOnlyOnes() {
    bare.withUserConfiguration(MarkedConnections.class)
        .run(context -> assertThat(context).hasSingleBean(R2dbcSequenceStore.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {
    @Bean
    ConnectionFactory first() {
      return ConnectionFactories.get("r2dbc:h2:mem:///first");
    }

    @Bean
    ConnectionFactory second() {
      return ConnectionFactories.get("r2dbc:h2:mem:///second");
    }
  }

  @Test
  void anApplicationWithSeveralDatabasesThatAsksForNoSequenceGetsNone() {
    bare.withUserConfiguration(TwoDatabases.class)
        .run(
            context ->
                assertThat(context).hasNotFailed().doesNotHaveBean(SequenceGenerators.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class ApplicationsMarked {
    @Bean
    @SequenceConnectionFactory
    ConnectionFactory marked() {
      return ConnectionFactories.get("r2dbc:h2:mem:///applications");
    }
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
      ConnectionFactory acme = ConnectionFactories.get("r2dbc:h2:mem:///acme");
      routing.setTargetConnectionFactories(Map.of("acme", acme));
      routing.setDefaultTargetConnectionFactory(ConnectionFactories.get("r2dbc:h2:mem:///others"));
      routing.afterPropertiesSet();
      return new TransactionAwareConnectionFactoryProxy(routing);
    }
  }

  @Test
  void aSourceThatChoosesTheDatabaseByTheContextIsRefusedAtTheStart() {
    onH2.withUserConfiguration(Routing.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasRootCauseInstanceOf(StartFailedException.class)
                    .rootCause()
                    .hasMessageContaining("chooses its database by the Context")
                    .hasMessageContaining("@SequenceConnectionFactory"));
  }

  @Test
  void theStoreConnectsBesideTheApplicationsPool() {
    ConnectionFactory driver = spy("PostgreSQL");
    ConnectionPool pool =
        new ConnectionPool(ConnectionPoolConfiguration.builder(driver).initialSize(0).build());
    bare.withBean(ConnectionFactory.class, () -> pool)
        .run(
            context ->
                assertThat(context.getBean(StoreConnections.class).factory()).isSameAs(driver));
  }

  private static ConnectionFactory spy(String name) {
    return new ConnectionFactory() {
      @Override
      public Mono<Connection> create() {
        return Mono.never();
      }

      @Override
      public ConnectionFactoryMetadata getMetadata() {
        return () -> name;
      }
    };
  }

  @Test
  void templatesServeTenants() {
    inMemory
        .withPropertyValues(
            "millrace.templates.orders.create=true", "millrace.templates.orders.start-value=100")
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              assertThat(next(generators.forTemplate("orders", "acme"))).isEqualTo(100);
              assertThat(next(generators.get("orders/bee"))).isEqualTo(100);
            });
  }

  @Test
  void customizersSetWhatNoPropertyCanAfterTheProperties() {
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
              assertThat(nextValue(context.getBean(InMemorySequenceStore.class), "invoices"))
                  .isEqualTo(4);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "millrace.store=r2dbc",
        "millrace.sequences.invoices.block-size=10",
        "millrace.templates.orders.create=true"
      })
  void oneThatAsksForSequencesIsToldToSayWhichDatabase(String property) {
    bare.withUserConfiguration(TwoDatabases.class)
        .withPropertyValues(property)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(StartFailedException.class));
    bare.withUserConfiguration(TwoDatabases.class, MarkedConnections.class)
        .withPropertyValues(property, "millrace.create-table=true", "millrace.defaults.create=true")
        .run(
            context ->
                assertThat(context.getBean(StoreConnections.class).factory())
                    .isSameAs(context.getBean("marked")));
  }

  @Test
  void thePrimaryOfSeveralDatabasesIsUsed() {
    ConnectionFactory primary = spy("PostgreSQL");
    bare.withBean("other", ConnectionFactory.class, () -> spy("PostgreSQL"))
        .withBean(
            "primary",
            ConnectionFactory.class,
            () -> primary,
            definition -> definition.setPrimary(true))
        .run(
            context ->
                assertThat(context.getBean(StoreConnections.class).factory()).isSameAs(primary));
  }

  @Test
  void theApplicationsOwnConnectionsCannotBeMarked() {
    bare.withBean(ApplicationsMarked.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOfSatisfying(
                        StartFailedException.class,
                        failed ->
                            assertThat(failed.action()).contains("defaultCandidate = false")));
  }
}
