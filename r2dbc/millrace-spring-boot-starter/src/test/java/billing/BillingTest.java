package billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The application of docs/gapless.md that numbers invoices in Spring transactions. */
@DatabaseTest(
    value = DatabaseKind.POSTGRESQL,
    ddl = "CREATE TABLE invoice (number BIGINT PRIMARY KEY, customer VARCHAR(100))")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BillingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private ConfigurableApplicationContext billing;
  private Invoices invoices;

  private R2dbcDatabase database;

  @BeforeAll
  void start(R2dbcDatabase created, @TempDir Path folder) throws IOException {
    database = created;
    Matcher yaml =
        Pattern.compile("```yaml\n(spring[^`]*/billing\n.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "..", "docs", "gapless.md")));
    assertThat(yaml.find()).isTrue();
    Path configuration = Files.writeString(folder.resolve("application.yaml"), yaml.group(1));
    billing =
        SpringApplication.from(Billing::main)
            .run(
                "--spring.config.location=" + configuration.toUri(),
                "--spring.r2dbc.url=r2dbc:postgresql://postgres@localhost:%d/%s"
                    .formatted(database.port(), database.name()),
                "--spring.r2dbc.properties.lockWaitTimeout=PT0.1S",
                "--spring.main.web-application-type=none")
            .getApplicationContext();
    invoices = billing.getBean(Invoices.class);
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
    int before = stored().size();
    assertThat(before).as("main has issued one").isPositive();
    Flux.range(0, 60).flatMap(i -> invoices.issue("customer " + i), 8).blockLast(PATIENCE);
    assertThat(stored())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, before + 60).boxed().toList());
  }

  @Test
  void invoiceWaitsForACounterThatIsLockedLongerThanTheLockTimeout() {
    Connection holder = Mono.from(database.connections().create()).block(PATIENCE);
    Mono.from(holder.beginTransaction())
        .thenMany(holder.createStatement("SELECT * FROM sequences FOR UPDATE").execute())
        .concatMap(result -> result.map(row -> 1))
        .blockLast(PATIENCE);
    long rolledBack = rolledBack();
    Mono<Invoice> invoice = invoices.issue("Eve").cache();
    invoice.subscribe();
    await().atMost(PATIENCE).until(() -> rolledBack() > rolledBack);
    Mono.from(holder.rollbackTransaction()).then(Mono.from(holder.close())).block(PATIENCE);
    assertThat(invoice.block(PATIENCE).customer()).isEqualTo("Eve");
  }

  private long rolledBack() {
    return database
        .query(
            "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()",
            row -> row.get(0, Long.class))
        .get(0);
  }

  @Test
  void refusedInvoiceTakesNoNumber() {
    long next = invoices.issue("Ada").block(PATIENCE).number() + 1;
    assertThatThrownBy(() -> invoices.issue("n".repeat(1_000)).block(PATIENCE))
        .isInstanceOf(DataAccessException.class);
    assertThat(invoices.issue("Bob").block(PATIENCE).number()).isEqualTo(next);
  }
}
