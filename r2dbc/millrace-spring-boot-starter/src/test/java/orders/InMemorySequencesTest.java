package orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SequenceValue;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.millrace.spring.boot.AutoConfigureInMemorySequences;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Tests of an application whose sequences count in memory. */
class InMemorySequencesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static <T> T await(Mono<T> source) {
    return source.blockOptional(PATIENCE).orElseThrow();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    SequenceStore unreachableStore() {
      return InMemorySequenceStore.create().startOutage(new IOException("unreachable"));
    }
  }

  @Nested
  @DirtiesContext
  @SpringBootTest(
      classes = Application.class,
      properties = {
        "spring.r2dbc.generate-unique-name=true",
        "spring.main.web-application-type=none",
        "millrace.store=spanner",
        "millrace.sequences.orders.start-value=1000",
        "millrace.sequences.orders.warmup=true",
        "millrace.sequences.items.create=false",
        "millrace.templates.tenant.start-value=50",
        "millrace.gapless.invoice_no.start-value=7",
        "millrace.gapless.bill.period=year",
        "millrace.gapless.bill.format=INV-{yyyy}-{n:4}"
      })
  @AutoConfigureInMemorySequences
  class InAWholeApplication {

    @Autowired private SequenceStore store;
    @Autowired private InMemorySequenceStore memory;
    @Autowired private SequenceGenerators generators;
    @Autowired private TransactionalOperator transactions;

    @Test
    void sequencesCountInMemoryInPlaceOfTheStoreOfTheApplication() {
      assertThat(store).isSameAs(memory);
      assertThat(await(generators.get("orders").next())).isGreaterThanOrEqualTo(1000);
      assertThat(await(generators.get("items").next())).isEqualTo(1);
      assertThat(await(generators.get("tenant/a").next())).isEqualTo(50);
      assertThat(memory.reservations()).isPositive();
    }

    @Autowired
    @Qualifier("invoice_no")
    private SpringTransactionalSequence invoices;

    @Autowired
    @Qualifier("invoice_no")
    private TransactionalSequence<SpannerTransaction> spannerInvoices;

    @Autowired
    @Qualifier("bill")
    private SpringPeriodicNumbers bills;

    @Autowired
    @Qualifier("bill")
    private PeriodicNumbers spannerBills;

    @Test
    void gaplessNumbersCountInMemoryWithoutATransaction() {
      SpannerTransaction transaction = mock(SpannerTransaction.class);
      assertThat(await(invoices.next())).isEqualTo(7);
      assertThat(await(transactions.transactional(invoices.next()))).isEqualTo(8);
      assertThat(await(spannerInvoices.next(transaction))).isEqualTo(9);
      PeriodicValue first = await(bills.next());
      assertThat(first.text()).matches("INV-20\\d\\d-0001");
      assertThat(await(bills.forTenant("a").next()).number()).isEqualTo(1);
      assertThat(await(memory.state("bill/" + first.period())).nextValue()).isEqualTo(2);
      assertThat(await(spannerBills.next(memory.transactionals(), transaction)).number())
          .isEqualTo(2);
    }
  }

  @Nested
  @DirtiesContext
  @WebFluxTest(
      controllers = InvoiceController.class,
      properties = {
        "millrace.sequences.orders.start-value=41",
        "millrace.gapless.invoice_no.start-value=7"
      })
  @ContextConfiguration(classes = InvoiceSlice.class)
  @AutoConfigureInMemorySequences
  class InAWebSlice {

    @Autowired private WebTestClient client;

    private void expect(String path, long number) {
      client.get().uri(path).exchange().expectBody(Long.class).isEqualTo(number);
    }

    @Test
    void controllerGetsItsSequencesWithoutADatabase() {
      expect("/order", 41);
      expect("/invoice", 7);
      expect("/invoice", 8);
    }
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @Import(InvoiceController.class)
  static class InvoiceSlice {}

  @RestController
  record InvoiceController(
      @Qualifier("orders") SequenceGenerator orders,
      @Qualifier("invoice_no") SpringTransactionalSequence invoices) {

    @GetMapping("/order")
    Mono<Long> order() {
      return orders.next();
    }

    @GetMapping("/invoice")
    Mono<Long> invoice() {
      return invoices.next();
    }
  }

  @Nested
  @DirtiesContext
  @DataR2dbcTest(
      properties = {
        "spring.r2dbc.generate-unique-name=true",
        "millrace.sequences.orders.start-value=1000"
      })
  @ContextConfiguration(classes = Repositories.class)
  @AutoConfigureInMemorySequences
  class InASliceOfRepositories {

    @Autowired private OrderRepository repository;
    @Autowired private DatabaseClient database;
    @Autowired private InMemorySequenceStore memory;

    @Test
    void entityGetsItsNumberFromMemory() {
      await(
          database
              .sql("CREATE TABLE numbered_order (id BIGINT PRIMARY KEY, customer VARCHAR(40))")
              .fetch()
              .rowsUpdated());
      assertThat(await(repository.save(new NumberedOrder(null, "Ada"))).id()).isEqualTo(1000);
      assertThat(await(repository.findById(1000L)).customer()).isEqualTo("Ada");
      assertThat(memory.reservations()).isPositive();
    }
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableR2dbcRepositories(
      considerNestedRepositories = true,
      basePackageClasses = InMemorySequencesTest.class)
  static class Repositories {}

  record NumberedOrder(@Id @SequenceValue("orders") @Nullable Long id, String customer) {}

  interface OrderRepository extends ReactiveCrudRepository<NumberedOrder, Long> {}
}
