package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceStoreException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** What a database has to grant to the application's user. */
@OnDatabases({POSTGRESQL, MARIADB})
class GrantsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String COUNTERS = "sequences";

  /** Does all that a feature does. */
  private interface Use extends Function<R2dbcSequenceStore, Mono<?>> {}

  /** A line of the table in docs/r2dbc.md. */
  record Feature(String words, List<String> rights, Use use) {

    String line() {
      return rights.stream()
          .map(right -> "`" + right + "`")
          .collect(Collectors.joining(", ", "\n| " + words + " | ", " |\n"));
    }

    @Override
    public String toString() {
      return words;
    }
  }

  static List<Feature> features() {
    return List.of(
        new Feature("read counters: `state`", List.of("SELECT"), store -> store.state("orders")),
        new Feature(
            "take and release values; `advanceTo`",
            List.of("SELECT", "UPDATE"),
            GrantsTest::takeAndRelease),
        new Feature(
            "create counters: `create`",
            List.of("SELECT", "INSERT"),
            store -> store.create("new_" + UUID.randomUUID(), 1)),
        new Feature(
            "`createMissing`; numbers that restart each period",
            List.of("SELECT", "INSERT", "UPDATE"),
            GrantsTest::createAndTake));
  }

  private static Mono<?> createAndTake(R2dbcSequenceStore store) {
    SequenceGenerator ids =
        SequenceGenerator.builder(store, "new_" + UUID.randomUUID()).createMissing(1).build();
    return ids.next().doFinally(end -> ids.dispose());
  }

  private static Mono<?> takeAndRelease(R2dbcSequenceStore store) {
    return store
        .reserve("orders", 10)
        .flatMap(block -> store.release("orders", SequenceBlock.of(block.last(), 1)))
        .then(store.advanceTo("orders", 2))
        .then();
  }

  @ParameterizedTest
  @MethodSource("features")
  void thePageListsTheRightsOfAFeature(Feature feature) throws IOException {
    assertThat(Files.readString(Path.of("../../docs/r2dbc.md"))).contains(feature.line());
  }

  @Parameter R2dbcDatabase database;
  private R2dbcDialect dialect;
  private final String user = "user_" + UUID.randomUUID().toString().substring(0, 8);
  private Connection owner;
  private R2dbcSequenceStore limited;

  @BeforeParameterizedClassInvocation
  void connect() {
    dialect = Objects.requireNonNull(R2dbcDialect.of(database.connections()).block(LIMIT));
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().then(store.create("orders", 1)).then(store.close()).block(LIMIT);
    owner = Objects.requireNonNull(Mono.from(database.connections().create()).block(LIMIT));
    sql("CREATE TABLE shipments (id BIGINT PRIMARY KEY)");
    sql(isMySql() ? "CREATE USER " + user + "@'%'" : "CREATE ROLE " + user + " LOGIN");
    limited = R2dbcSequenceStore.create(asUser());
  }

  @AfterEach
  void revokeAll() {
    sql(isMySql() ? "REVOKE ALL, GRANT OPTION FROM " + grantee() : "DROP OWNED BY " + user);
  }

  @AfterParameterizedClassInvocation
  void dropUser() {
    limited.close().block(LIMIT);
    sql(isMySql() ? "DROP USER " + grantee() : "DROP ROLE " + user);
    Mono.from(owner.close()).block(LIMIT);
  }

  private void sql(String statement) {
    Results.completion(owner.createStatement(statement)).block(LIMIT);
  }

  private boolean isMySql() {
    return database.kind().isMySql();
  }

  private void grant(String right, String object) {
    sql("GRANT " + right + " ON " + object + " TO " + grantee());
  }

  private void revoke(String right, String object) {
    sql("REVOKE " + right + " ON " + object + " FROM " + grantee());
  }

  private String grantee() {
    return isMySql() ? user + "@'%'" : user;
  }

  private String databaseName() {
    return database.name();
  }

  private ConnectionFactory asUser() {
    DatabaseKind kind = database.kind();
    return kind.isMySql()
        ? MySqlServer.connectionsOf(user, kind, databaseName(), MySqlServer.shared(kind).port())
        : new PostgresqlConnectionFactory(
            PostgresqlConnectionConfiguration.builder()
                .host("localhost")
                .port(PostgresServer.shared().port())
                .username(user)
                .database(databaseName())
                .build());
  }

  @ParameterizedTest
  @MethodSource("features")
  void theRightsOnThePageAreEnoughAndAreNeeded(Feature feature) {
    feature.rights.forEach(right -> grant(right, COUNTERS));
    feature.use.apply(limited).block(LIMIT);
    feature.rights.forEach(right -> assertIsNeeded(right, feature));
  }

  private void assertIsNeeded(String right, Feature feature) {
    revoke(right, COUNTERS);
    Throwable failure = catchThrowable(() -> feature.use.apply(limited).block(LIMIT));
    assertThat(failure)
        .as("without %s", right)
        .isInstanceOf(SequenceStoreException.class)
        .hasMessageContaining("denied");
    assertThat(dialect.failure(failure)).isEqualTo(ErrorCategory.NOT_PERMITTED);
    grant(right, COUNTERS);
  }

  @Test
  void eachSubscriberLearnsOfAMissingRightAtOnce() {
    grant("SELECT", COUNTERS);
    Duration day = Duration.ofDays(1);
    SequenceGenerator ids =
        SequenceGenerator.builder(limited, "orders").backoff(day, day, 0, 1).build();
    for (int each = 0; each < 3; each++) {
      assertThat(catchThrowable(() -> ids.next().block(LIMIT)))
          .isInstanceOfSatisfying(
              SequenceStoreException.class, failure -> assertThat(failure.isPermanent()).isTrue())
          .hasMessageContaining("'orders'")
          .hasMessageContaining("denied")
          .hasMessageContaining(COUNTERS);
    }
    ids.disposeLater().block(LIMIT);
  }

  @Test
  void aGeneratorThatGetsTheRightToUpdateRecoversByItself() {
    grant("SELECT", COUNTERS);
    SequenceGenerator ids = SequenceGenerator.builder(limited, "orders").build();
    assertThat(catchThrowable(() -> ids.next().block(LIMIT))).isNotNull();
    grant("UPDATE", COUNTERS);
    assertThat(ids.next().retryWhen(Retry.fixedDelay(1_000, Duration.ofMillis(10))).block(LIMIT))
        .isPositive();
    ids.disposeLater().block(LIMIT);
  }

  @Test
  void rowsNeedTheRightToInsertAndTheirLookUpTheRightToSelect() {
    grant("INSERT", "shipments");
    assertThat(writtenAlthoughTheAnswerIsLost(1)).isInstanceOf(InsertOutcome.Unknown.class);
    grant("SELECT", "shipments");
    assertThat(writtenAlthoughTheAnswerIsLost(2)).isInstanceOf(InsertOutcome.Committed.class);
    revoke("INSERT", "shipments");
    assertThat(writtenAlthoughTheAnswerIsLost(3))
        .isInstanceOfSatisfying(
            InsertOutcome.Rejected.class,
            rejected -> assertThat(rejected.reason()).hasMessageContaining("denied"));
  }

  private InsertOutcome<Long> writtenAlthoughTheAnswerIsLost(long id) {
    WatchedConnections connections =
        new WatchedConnections(asUser())
            .loseAnswer("commit"::equals, new R2dbcNonTransientResourceException("lost"));
    return Flux.just(id, -id)
        .transform(
            R2dbcInserts.<Long>into(connections, "shipments", (each, row) -> row.set("id", each))
                .key("id")
                .retries(1, Duration.ofMillis(1), Duration.ofMillis(1))
                .outcomes())
        .next()
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  @Test
  void aTableIsCreatedWithTheRightToCreateAlsoIfItIsThere() {
    grant("SELECT", COUNTERS);
    Throwable failure = catchThrowable(() -> limited.createTable().block(LIMIT));
    assertThat(dialect.failure(failure)).isEqualTo(ErrorCategory.NOT_PERMITTED);
    grant("CREATE", isMySql() ? databaseName() + ".*" : "SCHEMA public");
    R2dbcSequenceStore connectedSince = R2dbcSequenceStore.create(asUser());
    connectedSince.createTable().then(connectedSince.close()).block(LIMIT);
  }
}
