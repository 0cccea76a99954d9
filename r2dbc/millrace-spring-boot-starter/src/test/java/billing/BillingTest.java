package billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import reactor.core.publisher.Flux;

/** The services of docs/gapless.md that number invoices in Spring transactions. */
class BillingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int INVOICES = 60;

  private static final String CONFIGURATION =
      """
      spring.r2dbc.url: r2dbc:postgresql://localhost/billing
      millrace:
        create-table: true
        gapless:
          invoice_no: { create: true }
      """;

  @Test
  void pageShowsTheProgram() throws IOException {
    String program = Files.readString(Path.of("src/test/java/billing/Billing.java"));
    assertThat(Files.readString(Path.of("..", "..", "docs", "gapless.md")))
        .contains("```java\n" + program + "```")
        .contains("```yaml\n" + CONFIGURATION + "```");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void issuesTheFirstInvoice(@TempDir Path folder, CapturedOutput output) throws IOException {
    Path yaml = Files.writeString(folder.resolve("application.yaml"), CONFIGURATION);
    Path schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            "CREATE TABLE invoice (number BIGINT PRIMARY KEY, customer VARCHAR(100))");
    try (ConfigurableApplicationContext billing =
        SpringApplication.from(Billing::main)
            .run(
                "--spring.config.location=" + yaml.toUri(),
                "--spring.sql.init.schema-locations=" + schema.toUri(),
                "--spring.r2dbc.url=r2dbc:h2:mem:///billing",
                "--spring.sql.init.mode=always",
                "--spring.main.web-application-type=none")
            .getApplicationContext()) {
      assertThat(output).contains("Invoice[number=1, customer=Ada]");
      assertThat(billing.isActive()).isTrue();
    }
  }

  /** The application is started once for each database. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private final AtomicInteger rollbacks = new AtomicInteger();
    ConfigurableApplicationContext billing;
    Invoices invoices;

    @BeforeAll
    void start(R2dbcDatabase database, @TempDir Path folder) throws IOException {
      Path yaml = Files.writeString(folder.resolve("application.yaml"), CONFIGURATION);
      billing =
          new SpringApplicationBuilder(Billing.class)
              .initializers(
                  context ->
                      ((GenericApplicationContext) context)
                          .registerBean(ConnectionFactory.class, database::connections))
              .run(
                  "--spring.config.location=" + yaml.toUri(),
                  "--spring.sql.init.mode=never", // the table is there
                  "--spring.main.web-application-type=none");
      invoices = billing.getBean(Invoices.class);
      billing
          .getBean(R2dbcTransactionManager.class)
          .addListener(
              new TransactionExecutionListener() {
                @Override
                public void afterRollback(TransactionExecution one, @Nullable Throwable failure) {
                  rollbacks.incrementAndGet();
                }
              });
    }

    @AfterAll
    void stop() {
      billing.close();
    }

    private List<Long> stored() {
      return billing
          .getBean(R2dbcEntityTemplate.class)
          .select(Invoice.class)
          .all()
          .map(Invoice::number)
          .sort()
          .collectList()
          .block(PATIENCE);
    }

    @Test
    void numbersConcurrentInvoicesWithoutGaps() {
      List<Long> before = stored();
      List<Long> issued =
          Flux.range(0, INVOICES)
              .flatMap(i -> invoices.issue("customer " + i), 8)
              .map(Invoice::number)
              .sort()
              .collectList()
              .block(PATIENCE);

      assertThat(issued).hasSize(INVOICES);
      assertThat(stored())
          .hasSize(before.size() + INVOICES)
          .containsAll(issued)
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, before.size() + INVOICES).boxed().toList());
    }

    @Test
    void refusedInvoiceTakesNoNumber() {
      long next = invoices.issue("Ada").block(PATIENCE).number() + 1;
      rollbacks.set(0);
      assertThatThrownBy(() -> invoices.issue("n".repeat(1_000)).block(PATIENCE))
          .isInstanceOf(DataAccessException.class);
      assertThat(rollbacks).hasPositiveValue();
      assertThat(invoices.issue("Bob").block(PATIENCE).number()).isEqualTo(next);
    }
  }

  @Nested
  @DatabaseTest(
      value = DatabaseKind.POSTGRESQL,
      ddl = "CREATE TABLE invoice (number BIGINT PRIMARY KEY, customer VARCHAR(100))")
  class OnPostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(
      value = DatabaseKind.MARIADB,
      ddl = "CREATE TABLE invoice (number BIGINT PRIMARY KEY, customer VARCHAR(100))")
  class OnMariaDb extends Behaviour {}
}
