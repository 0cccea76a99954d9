package yearly;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Numbers that start again each year, and the complete configuration of docs/spring.md. */
class YearlyTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Instant NEW_YEAR = Instant.parse("2026-12-31T23:00:00Z"); // in Berlin

  /** A clock whose own zone is wrong on purpose. */
  static final class SetClock extends Clock {

    private volatile Instant now = NEW_YEAR.minusMillis(1);

    @Override
    public ZoneId getZone() {
      return ZoneId.of("Pacific/Kiritimati");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @SpringBootApplication
  static class Application {

    @Bean
    SetClock clock() {
      return new SetClock();
    }
  }

  private static final String NUMBERS =
      """
      millrace:
        create-table: true
        gapless:
          invoice: { period: year, zone: Europe/Berlin, format: "INV-{yyyy}-{n:6}" }
      """;

  private static String completeConfiguration() throws IOException {
    Matcher yaml =
        Pattern.compile("## One complete configuration\n\n```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "..", "docs", "spring.md")));
    assertThat(yaml.find()).isTrue();
    return yaml.group(1);
  }

  private static ConfigurableApplicationContext start(
      Path folder, String configuration, ConnectionFactory connections) throws IOException {
    Path yaml = Files.writeString(folder.resolve("application.yaml"), configuration);
    return new SpringApplicationBuilder(Application.class)
        .initializers(
            context ->
                ((GenericApplicationContext) context)
                    .registerBean(ConnectionFactory.class, () -> connections))
        .run(
            "--spring.config.location=" + yaml.toUri(),
            "--spring.sql.init.mode=never",
            "--spring.main.web-application-type=none");
  }

  abstract static class Behaviour {

    @Test
    void aServiceAndAWriterShareTheNumbersOfEachYear(R2dbcDatabase database, @TempDir Path folder)
        throws IOException {
      TimeZone own = TimeZone.getDefault();
      TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
      ConnectionPool pool = pool(database);
      try (ConfigurableApplicationContext context = start(folder, NUMBERS, pool)) {
        assertThat(issued(context, "old"))
            .extracting(YearlyInvoice::number)
            .containsExactlyInAnyOrderElementsOf(numbers("2026"));
        context.getBean(SetClock.class).now = NEW_YEAR;
        List<YearlyInvoice> after = issued(context, "new");
        assertThat(after)
            .extracting(YearlyInvoice::number)
            .containsExactlyInAnyOrderElementsOf(numbers("2027"));
        assertThat(after).extracting(YearlyInvoice::issued).containsOnly(LocalDate.of(2027, 1, 1));
        assertThat(context.getBean(SequenceStore.class).state("invoice/2026").block(LIMIT))
            .isEqualTo(new SequenceState("invoice/2026", 21));
      } finally {
        TimeZone.setDefault(own);
        pool.disposeLater().block(LIMIT);
      }
    }

    private static List<String> numbers(String year) {
      return LongStream.rangeClosed(1, 20).mapToObj(n -> "INV-%s-%06d".formatted(year, n)).toList();
    }

    private static List<YearlyInvoice> issued(ConfigurableApplicationContext context, String who) {
      YearlyInvoices service = context.getBean(YearlyInvoices.class);
      @SuppressWarnings("unchecked")
      RowWriter<YearlyInvoice> writer = context.getBean(RowWriter.class);
      return Objects.requireNonNull(
          Flux.range(0, 20)
              .flatMap(
                  i ->
                      i % 2 == 0
                          ? Mono.defer(() -> service.issue(who + i))
                              .subscribeOn(Schedulers.boundedElastic()) // H2 blocks its caller
                          : writer.write(new YearlyInvoice("", LocalDate.EPOCH, who + i)),
                  4)
              .collectList()
              .block(LIMIT));
    }

    static ConnectionPool pool(R2dbcDatabase database) {
      return new ConnectionPool(
          ConnectionPoolConfiguration.builder(database.connections())
              .initialSize(0)
              .maxSize(4)
              .build());
    }
  }

  private static final String TABLE =
      "CREATE TABLE \"yearly\" (\"number\" VARCHAR(20) PRIMARY KEY, \"issued\" DATE NOT NULL,"
          + " \"customer\" VARCHAR(20) NOT NULL UNIQUE)";

  @Nested
  @DatabaseTest(value = DatabaseKind.H2, ddl = TABLE)
  class OnH2 extends Behaviour {}

  @Nested
  @DatabaseTest(value = DatabaseKind.POSTGRESQL, ddl = TABLE)
  class OnPostgreSql extends Behaviour {

    @Test
    void theCompleteConfigurationStarts(R2dbcDatabase database, @TempDir Path folder)
        throws IOException {
      ConnectionPool pool = pool(database);
      try (ConfigurableApplicationContext context = start(folder, completeConfiguration(), pool)) {
        assertThat(context.getBeansOfType(SequenceGenerator.class))
            .containsOnlyKeys("product_id", "order_id", "event_id");
        assertThat(context.getBeansOfType(SpringTransactionalSequence.class))
            .containsOnlyKeys("receipt_no");
        assertThat(context.getBeansOfType(SpringPeriodicNumbers.class)).containsOnlyKeys("invoice");
        SequenceGenerators generators = context.getBean(SequenceGenerators.class);
        assertThat(generators.get("order_id").next().block(LIMIT)).isEqualTo(1000);
        assertThat(generators.get("ticket/acme").next().block(LIMIT)).isEqualTo(1);
      } finally {
        pool.disposeLater().block(LIMIT);
      }
    }
  }
}
