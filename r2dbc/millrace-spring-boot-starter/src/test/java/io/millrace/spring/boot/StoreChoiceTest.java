package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Which database keeps the counters. */
@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

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
  void reportsUnclearDatabase(CapturedOutput output) {
    assertThat(
            new StartedApplication(
                    "millrace.sequences.a.create: true", Map.of(), TwoDatabases.class)
                .report(output))
        .contains("first, second", "@SequenceConnectionFactory", "@Primary");
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
    new StartedApplication(
            """
            spring.r2dbc.url: %s
            millrace:
              create-table: true
              sequences.order_id: { create: true, start-value: 7 }
            """
                .formatted(StartedApplication.h2()),
            Map.of(),
            Archive.class)
        .use(
            context -> {
              R2dbcSequenceStore archive =
                  context.getBean("archiveStore", R2dbcSequenceStore.class);
              archive.createTable().then(archive.create("archive_id", 1)).block(PATIENCE);
              assertThat(
                      context.getBean("archiveId", SequenceGenerator.class).next().block(PATIENCE))
                  .isEqualTo(1);
              assertThat(
                      context.getBean("order_id", SequenceGenerator.class).next().block(PATIENCE))
                  .isEqualTo(7);
              assertThat(context.getBean(SequenceStore.class)).isNotSameAs(archive);
            });
  }

  @Test
  void databaseSequencesAndGaplessNumbersOfTableWorkTogether() {
    new StartedApplication(
            """
            spring.r2dbc.url: %s
            millrace:
              store: native
              create-table: true
              sequences.order_id: { create: true, block-size: 50 }
              gapless.invoice_no.create: true
            """
                .formatted(StartedApplication.h2()),
            Map.of())
        .use(
            context -> {
              assertThat(context.getBean(SequenceGenerator.class).next().block(PATIENCE))
                  .isEqualTo(1);
              assertThat(
                      context
                          .getBean(SpringTransactionalSequence.class)
                          .next()
                          .as(
                              TransactionalOperator.create(
                                      context.getBean(ReactiveTransactionManager.class))
                                  ::transactional)
                          .block(PATIENCE))
                  .isEqualTo(1);
              assertThat(
                      DatabaseClient.create(context.getBean(ConnectionFactory.class))
                          .sql("SELECT \"name\" || ' ' || \"next_value\" FROM \"sequences\"")
                          .map(row -> row.get(0, String.class))
                          .all()
                          .collectList()
                          .block(PATIENCE))
                  .containsExactly("invoice_no 2");
            });
  }
}
