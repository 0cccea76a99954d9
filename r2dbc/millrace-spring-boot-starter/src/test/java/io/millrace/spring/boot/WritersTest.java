package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.RowNotAcceptedException;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** The application's writers of rows, from the start of the context to its end. */
class WritersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  record Invoice(UUID request, long number) {

    static Invoice requested() {
      return new Invoice(UUID.randomUUID(), 0);
    }

    Invoice withNumber(long taken) {
      return new Invoice(request, taken);
    }

    void writeTo(InsertRow row) {
      row.set("REQUEST", request).set("NUMBER", number);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Billing {

    @Bean
    RowWriter<Invoice> invoices(ConnectionFactory connections, R2dbcSequenceStore store) {
      return R2dbcInserts.into(connections, "INVOICE", Invoice::writeTo)
          .key("REQUEST")
          .numbered(store.transactional("invoice_no"), Invoice::withNumber)
          .groupSize(3)
          .writer();
    }
  }

  private final ApplicationContextRunner onH2 =
      Starter.onH2()
          .withUserConfiguration(Billing.class)
          .withPropertyValues(
              "millrace.create-table=true", "millrace.gapless.invoice_no.create=true");

  private static void createTable(ConnectionFactory connections) {
    DatabaseClient.create(connections)
        .sql("CREATE TABLE IF NOT EXISTS invoice (request UUID PRIMARY KEY, number BIGINT)")
        .then()
        .block(PATIENCE);
  }

  private static List<Long> stored(ConnectionFactory connections) {
    return DatabaseClient.create(connections)
        .sql("SELECT number FROM invoice ORDER BY number")
        .map(row -> row.get(0, Long.class))
        .all()
        .collectList()
        .blockOptional(PATIENCE)
        .orElseThrow();
  }

  @Test
  void acceptedRowsAreWrittenBeforeThePoolIsClosedAndLaterOnesAreRefused() {
    List<Long> answered = Collections.synchronizedList(new ArrayList<>());
    List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
    onH2.run(
        context -> {
          createTable(context.getBean(ConnectionFactory.class));
          @SuppressWarnings("unchecked")
          RowWriter<Invoice> invoices = context.getBean(RowWriter.class);
          Flux.range(0, 50)
              .flatMap(i -> invoices.write(Invoice.requested()), 50)
              .subscribe(saved -> answered.add(saved.number()), failed::add);
          context.getSourceApplicationContext(ConfigurableApplicationContext.class).stop();
          assertThat(stored(context.getBean(ConnectionFactory.class)))
              .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
          StepVerifier.create(invoices.write(Invoice.requested()))
              .expectError(RowNotAcceptedException.class)
              .verify(PATIENCE);
        });
    assertThat(failed).isEmpty();
    assertThat(answered)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
  }
}
