package recipes;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerators;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.PeriodicValue;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import recipes.Recipes.Event;
import recipes.Recipes.Invoice;
import recipes.Recipes.Product;

/** Each recipe keeps what its page says about gaps and order. */
@OnDatabases(
    value = {POSTGRESQL},
    also = H2)
class RecipesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Instant NEW_YEAR = Instant.parse("2026-12-31T23:00:00Z"); // in Berlin

  private static final String INVOICE =
      "CREATE TABLE \"invoice\" (\"request\" VARCHAR(36) PRIMARY KEY,"
          + " \"tenant\" VARCHAR(40) NOT NULL, \"number\" VARCHAR(20) NOT NULL,"
          + " \"issued\" DATE NOT NULL)";
  private static final String EVENT =
      "CREATE TABLE \"event\" (\"id\" VARCHAR(36) PRIMARY KEY, \"stream\" VARCHAR(40) NOT NULL,"
          + " \"version\" BIGINT NOT NULL, \"body\" VARCHAR(40), UNIQUE (\"stream\", \"version\"))";
  private static final String PRODUCT =
      "CREATE TABLE \"product\" (\"id\" BIGINT PRIMARY KEY, \"name\" VARCHAR(40) NOT NULL)";
  private static final String RECEIPT =
      "CREATE TABLE receipt (id VARCHAR(36) PRIMARY KEY, number BIGINT UNIQUE)";
  private static final String OUTBOX =
      "CREATE TABLE outbox (position BIGINT PRIMARY KEY, body VARCHAR(40) NOT NULL)";

  @Parameter R2dbcDatabase database;

  private ConnectionPool pool;
  private R2dbcSequenceStore store;

  @BeforeParameterizedClassInvocation
  void createTables() {
    database.execute(INVOICE, EVENT, PRODUCT, RECEIPT, OUTBOX);
  }

  @BeforeEach
  void start() {
    pool = Pools.of(4, database.connections());
    store = Recipes.store(database.connections());
  }

  @AfterEach
  void stop() {
    store.close().block(LIMIT);
    pool.disposeLater().block(LIMIT);
  }

  private Recipes recipes(Instant now) {
    return new Recipes(pool, store, Clock.fixed(now, ZoneOffset.UTC));
  }

  private static <T> List<T> all(Flux<T> flux) {
    return Objects.requireNonNull(flux.collectList().block(LIMIT));
  }

  private static List<Long> oneTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void invoicesAndTransactionsShareTheNumbersOfEachYear() {
    for (boolean isNewYear : List.of(false, true)) {
      Recipes recipes = recipes(isNewYear ? NEW_YEAR : NEW_YEAR.minusMillis(1));
      RowWriter<Invoice> invoices = recipes.invoices();
      LocalDate date = isNewYear ? LocalDate.of(2027, 1, 1) : LocalDate.of(2026, 12, 31);
      List<String> numbers =
          all(
              Flux.range(0, 20)
                  .flatMap(
                      i ->
                          i % 5 == 0
                              ? recipes
                                  .inTransaction(number -> Mono.empty())
                                  .map(number -> number.text() + " " + number.date())
                              : recipes
                                  .issue(invoices)
                                  .map(each -> each.number() + " " + each.date())));
      assertThat(numbers)
          .containsExactlyInAnyOrderElementsOf(
              oneTo(20).stream()
                  .map(n -> "INV-%s-%06d %s".formatted(date.getYear(), n, date))
                  .toList());
      invoices.disposeLater().block(LIMIT);
    }
  }

  @Test
  void theInvoicesOfEachTenantCountFromOne() {
    Recipes recipes = recipes(NEW_YEAR);
    RowWriter<Invoice> invoices = recipes.invoicesOfTenants();
    List<Invoice> written =
        all(
            Flux.range(0, 24)
                .map(i -> new Invoice(UUID.randomUUID(), i % 3 == 0 ? "acme" : "other"))
                .flatMap(invoices::write));
    for (String tenant : List.of("acme", "other")) {
      assertThat(written)
          .filteredOn(invoice -> invoice.tenant().equals(tenant))
          .extracting(Invoice::number)
          .containsExactlyInAnyOrderElementsOf(
              oneTo(tenant.equals("acme") ? 8 : 16).stream()
                  .map("INV-2027-%06d"::formatted)
                  .toList());
    }
    Mono<String> next =
        R2dbcTransactions.over(pool).readWrite(recipes::ofTenant).map(PeriodicValue::text);
    assertThat(next.block(LIMIT)).isEqualTo("INV-2027-000009");
    invoices.disposeLater().block(LIMIT);
  }

  @Test
  void eachTenantHasItsOwnIds() {
    SequenceGenerators generators = recipes(NEW_YEAR).tenants();
    List<String> ids =
        all(
            Flux.just("acme", "other", "acme")
                .concatMap(
                    tenant ->
                        recipes(NEW_YEAR)
                            .orderId(generators, tenant)
                            .map(id -> tenant + " " + id)));
    assertThat(ids).containsExactly("acme 1", "other 1", "acme 2");
    generators.disposeLater().block(LIMIT);
  }

  @Test
  void theEventsOfEachStreamCountFromOne() {
    RowWriter<Event> events = recipes(NEW_YEAR).events();
    var versions =
        all(
                Flux.range(0, 60)
                    .flatMap(
                        i ->
                            events.write(
                                new Event(UUID.randomUUID(), "stream " + i % 3, 0, "event " + i))))
            .stream()
            .collect(
                Collectors.groupingBy(
                    Event::stream,
                    ConcurrentHashMap::new,
                    Collectors.mapping(Event::version, Collectors.toList())));
    assertThat(versions).hasSize(3);
    versions.values().forEach(each -> assertThat(each).hasSameElementsAs(oneTo(20)));
    events.disposeLater().block(LIMIT);
  }

  @Test
  void importedRowsHaveRisingIdsInTheOrderOfTheSource() {
    List<Product> stored =
        all(recipes(NEW_YEAR).imported(Flux.range(1, 3_000).map(i -> new Product(0, "p" + i))));
    assertThat(stored).hasSize(3_000);
    assertThat(stored)
        .allSatisfy(product -> assertThat(product.name()).isEqualTo("p" + product.id()));
  }

  @Test
  void aReaderOfTheOutboxMissesNoMessage() {
    Recipes recipes = recipes(NEW_YEAR);
    store.create("outbox", 1).block(LIMIT);
    List<Long> positions =
        all(
            Flux.range(0, 30)
                .flatMap(
                    i ->
                        recipes
                            .ordered(
                                connection ->
                                    i % 5 == 0
                                        ? Mono.error(new IllegalStateException("refused"))
                                        : Mono.delay(Duration.ofMillis(i % 3)).then(),
                                "message " + i)
                            .onErrorResume(IllegalStateException.class, refused -> Mono.empty()),
                    4));
    assertThat(positions).containsExactlyInAnyOrderElementsOf(oneTo(24));
    assertThat(read(recipes, 0)).hasSize(24).doesNotHaveDuplicates();
    assertThat(read(recipes, 20)).isEqualTo(read(recipes, 0).subList(20, 24));
  }

  @Test
  void aDraftTakesItsNumberOnceWhenItIsIssued() {
    Recipes recipes = recipes(NEW_YEAR);
    store.create("receipt", 1).block(LIMIT);
    List<UUID> drafts = Stream.generate(UUID::randomUUID).limit(10).toList();
    drafts.forEach(draft -> database.execute("INSERT INTO receipt (id) VALUES ('" + draft + "')"));
    List<Long> numbers =
        all(
            Flux.concat(Flux.fromIterable(drafts), Flux.fromIterable(drafts))
                .flatMap(
                    draft ->
                        recipes
                            .issueDraft(draft)
                            .onErrorResume(IllegalStateException.class, twice -> Mono.empty()),
                    4));
    assertThat(numbers).containsExactlyInAnyOrderElementsOf(oneTo(10));
  }

  private List<String> read(Recipes recipes, long last) {
    return all(
        Flux.usingWhen(
            pool.create(), connection -> recipes.after(connection, last), Connection::close));
  }
}
