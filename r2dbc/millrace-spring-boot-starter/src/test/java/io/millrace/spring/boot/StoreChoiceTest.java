package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SequenceConnectionFactory;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.connection.TransactionAwareConnectionFactoryProxy;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Which database keeps the counters. */
@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

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

  private final ApplicationContextRunner twoDatabases =
      Starter.bare().withUserConfiguration(TwoDatabases.class);

  @Test
  void reportsUnclearDatabaseIfThereAreSequences(CapturedOutput output) {
    assertThat(
            new StartedApplication(
                    "millrace.sequences.a.create: true", Map.of(), TwoDatabases.class)
                .report(output))
        .contains("first, second", "@SequenceConnectionFactory", "@Primary");
    twoDatabases.run(
        context -> assertThat(context).hasNotFailed().doesNotHaveBean(SequenceGenerators.class));
  }

  @Test
  void usesTheMarkedConnections() {
    Starter.bare()
        .withUserConfiguration(Marked.class)
        .run(context -> assertUses(context, "marked"));
    twoDatabases.withUserConfiguration(Marked.class).run(context -> assertUses(context, "marked"));
  }

  @Test
  void usesThePrimaryOfSeveralConnections() {
    twoDatabases
        .withBean(
            "primary",
            ConnectionFactory.class,
            () -> named("primary"),
            definition -> definition.setPrimary(true))
        .run(context -> assertUses(context, "primary"));
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
    Starter.onH2()
        .withUserConfiguration(Routing.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("chooses its database by the Context"));
  }

  private static void assertSpannerIsUnclear(ApplicationContextRunner runner, String remedy) {
    runner
        .withPropertyValues("millrace.sequences.a.create=true")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("com.google.cloud.spanner.DatabaseClient")
                    .extracting(failure -> ((StartFailedException) failure).action())
                    .asString()
                    .contains(remedy, "millrace.store=r2dbc"));
  }

  @Test
  void unclearClientOfSpannerEndsStartBesideR2dbc() {
    ApplicationContextRunner one = Starter.onH2().withBean(DatabaseClient.class, Starter::spanner);
    assertSpannerIsUnclear(
        one.withClassLoader(new FilteredClassLoader("io.millrace.spanner")),
        "io.millrace:millrace-spanner");
    assertSpannerIsUnclear(
        one.withBean("second", DatabaseClient.class, Starter::spanner), "@Primary");
  }

  @Configuration(proxyBeanMethods = false)
  static class Archive {
    @Bean(defaultCandidate = false)
    ConnectionFactory archive() {
      return ConnectionFactories.get("r2dbc:h2:mem:///archive?options=DB_CLOSE_DELAY=-1");
    }

    @Bean(defaultCandidate = false)
    R2dbcSequenceStore archiveStore(@Qualifier("archive") ConnectionFactory archive) {
      return R2dbcSequenceStore.create(archive);
    }

    @Bean(defaultCandidate = false, destroyMethod = "dispose")
    SequenceGenerator archiveId(@Qualifier("archiveStore") R2dbcSequenceStore store) {
      return SequenceGenerator.builder(store, "archive_id").build();
    }

    @Bean(defaultCandidate = false, destroyMethod = "dispose")
    SequenceGenerators archiveGenerators(@Qualifier("archiveStore") R2dbcSequenceStore store) {
      return SequenceGenerators.builder(store).anyName().build();
    }
  }

  @Test
  void secondDatabaseHasItsOwnStoreBesideTheConfiguredOne() {
    Starter.onH2()
        .withUserConfiguration(Archive.class)
        .withPropertyValues(
            "millrace.create-table=true",
            "millrace.sequences.order_id.create=true",
            "millrace.sequences.order_id.start-value=7")
        .run(
            context -> {
              R2dbcSequenceStore archive =
                  context.getBean("archiveStore", R2dbcSequenceStore.class);
              archive.createTable().then(archive.create("archive_id", 1)).block(PATIENCE);
              assertThat(context.getBean(SequenceStore.class)).isNotSameAs(archive);
              assertThat(
                      context.getBean("archiveId", SequenceGenerator.class).next().block(PATIENCE))
                  .isEqualTo(1);
              assertThat(
                      context.getBean("order_id", SequenceGenerator.class).next().block(PATIENCE))
                  .isEqualTo(7);
            });
  }

  @ParameterizedTest
  @CsvSource({"native, 52", "native-pooled-lo, 51"})
  void takesValuesFromSequenceOfTheDatabase(String store, long next) {
    ApplicationContextRunner nativeStore =
        Starter.onH2()
            .withPropertyValues(
                "millrace.store=" + store, "millrace.sequences.ORDER_ID.block-size=50");
    nativeStore.run(
        context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("CREATE SEQUENCE \"ORDER_ID\""));
    nativeStore
        .withPropertyValues("millrace.sequences.ORDER_ID.create=true")
        .run(
            context -> {
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
  void sequencesOfTheDatabaseAndGaplessNumbersOfTheTableWorkTogether() {
    Starter.onH2()
        .withPropertyValues(
            "millrace.store=native",
            "millrace.create-table=true",
            "millrace.sequences.order_id.create=true",
            "millrace.gapless.invoice_no.create=true")
        .run(
            context -> {
              assertThat(context.getBean(SequenceGenerator.class).next().block(PATIENCE))
                  .isEqualTo(1);
              TransactionalOperator transactions =
                  TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
              assertThat(
                      context
                          .getBean(SpringTransactionalSequence.class)
                          .next()
                          .as(transactions::transactional)
                          .block(PATIENCE))
                  .isEqualTo(1);
              assertThat(
                      context.getBean(R2dbcSequenceStore.class).state("invoice_no").block(PATIENCE))
                  .isEqualTo(new SequenceState("invoice_no", 2));
            });
  }
}
