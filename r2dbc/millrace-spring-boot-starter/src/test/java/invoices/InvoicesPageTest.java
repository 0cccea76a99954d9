package invoices;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.R2dbcInserts;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * The service of docs/gapless.md that numbers the invoices of each tenant, as the page shows it.
 */
@ContextConfiguration(initializers = InvoicesPageTest.Configuration.class)
@TestPropertySource(properties = "spring.sql.init.schema-locations=file:target/invoices-schema.sql")
class InvoicesPageTest extends InvoicingTest {

  /** The application's file of properties, and its table. */
  static final class Configuration
      implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
      try {
        byte[] yaml =
            shown("```yaml\n(spring:\n[^`]*/invoices\n.*?)```").getBytes(StandardCharsets.UTF_8);
        new YamlPropertySourceLoader()
            .load("page", new ByteArrayResource(yaml))
            .forEach(context.getEnvironment().getPropertySources()::addLast);
        Files.writeString(
            Path.of("target", "invoices-schema.sql"), shown("```sql\n(CREATE TABLE .*?)```"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record EmptyPool() implements ConnectionFactory {

    @Override
    public Mono<Connection> create() {
      return Mono.error(new R2dbcTimeoutException("Connection acquisition timed out"));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return () -> "PostgreSQL";
    }
  }

  @Autowired private RowWriter<Invoice> writer;
  @Autowired private DatabaseClient database;

  private static String shown(String pattern) throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "gapless.md"));
    Matcher shown = Pattern.compile(pattern, Pattern.DOTALL).matcher(page);
    assertThat(shown.find()).as(pattern).isTrue();
    return shown.group(1);
  }

  @Test
  void tenantsMayChooseTheSameRequest() {
    UUID request = UUID.randomUUID();
    put("red", request, "Ada").expectStatus().isOk();
    put("blue", request, "Bob").expectStatus().isOk();
  }

  @Test
  void numberThatIsTakenIsNotReportedAsStored() {
    put("reset", UUID.randomUUID(), "Ada").expectStatus().isOk();
    assertThat(
            database
                .sql("DELETE FROM sequences WHERE name LIKE 'invoice/reset/%'")
                .fetch()
                .rowsUpdated()
                .block())
        .isEqualTo(1);
    put("reset", UUID.randomUUID(), "Bob").expectStatus().isEqualTo(500);
  }

  @Test
  void blankTenantIsBadRequest() {
    put(" ", UUID.randomUUID(), "Ada").expectStatus().isBadRequest();
  }

  @Test
  void poolWithoutConnectionIsServiceUnavailable() {
    RowWriter<Invoice> withoutConnection =
        R2dbcInserts.into(new EmptyPool(), "invoice", Invoice::writeTo)
            .retries(1, Duration.ofMillis(1), Duration.ofMillis(1))
            .writer();
    InvoiceController controller = new InvoiceController(withoutConnection, database);
    StepVerifier.create(
            controller
                .issue("acme", UUID.randomUUID(), "Ada")
                .then(Mono.<ResponseEntity<String>>empty())
                .onErrorResume(InsertFailedException.class, controller::failed)
                .map(ResponseEntity::getStatusCode))
        .expectNext(HttpStatus.SERVICE_UNAVAILABLE)
        .verifyComplete();
  }

  @Test
  @DirtiesContext
  void disposedWriterAnswersServiceUnavailable() {
    writer.disposeLater().block();
    put("acme", UUID.randomUUID(), "Ada")
        .expectStatus()
        .isEqualTo(503)
        .expectHeader()
        .exists("Retry-After");
  }
}
