package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.CounterTableContract;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What the store does on each database, beyond the contract of all stores. */
@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class R2dbcSequenceStoreTest extends CounterTableContract {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;
  R2dbcDialect dialect;
  WatchedConnections connections;
  R2dbcSequenceStore store;
  String name = "";

  @BeforeParameterizedClassInvocation
  void connect() {
    connections = new WatchedConnections(database.pooled());
    store = R2dbcSequenceStore.create(connections);
    dialect = R2dbcDialect.of(database.pooled()).blockOptional(LIMIT).orElseThrow();
    done(store.createTable());
  }

  @BeforeEach
  void create() {
    name = "invoice_" + UUID.randomUUID();
    done(store.create(name, 1));
    connections.clear();
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected int requests() {
    return connections.log().size();
  }

  @Override
  protected boolean countsCodePoints() {
    return database.kind() != DatabaseKind.H2;
  }

  @Test
  void aReservationIsOneWriteOnOneConnection() {
    gives(store.reserve(name, 10), SequenceBlock.of(1, 10));
    assertThat(connections.statements())
        .hasSize(statementsOfAReservation())
        .first()
        .asString()
        .contains("UPDATE");
    assertThat(connections.log())
        .hasSize(statementsOfAReservation() + 2)
        .startsWith("create")
        .endsWith("close")
        .doesNotContain("commit");
  }

  /** MySQL and MariaDB have no UPDATE that returns a value. */
  private int statementsOfAReservation() {
    return database.kind().isMySql() ? 2 : 1;
  }

  @Test
  void aReleaseIsOneStatement() {
    done(store.reserve(name, 10));
    connections.clear();
    gives(store.release(name, SequenceBlock.of(7, 4)), true);
    assertThat(connections.statements()).hasSize(1);
    gives(store.reserve(name, 2), SequenceBlock.of(7, 2));
  }

  @Test
  void theStatementThatAMissingRowNamesCreatesIt() {
    String fresh = "fresh_" + UUID.randomUUID();
    String message =
        store
            .state(fresh)
            .map(String::valueOf)
            .onErrorResume(e -> Mono.just(String.valueOf(e.getMessage())))
            .blockOptional(LIMIT)
            .orElseThrow();
    String insert =
        message.substring(message.indexOf("INSERT INTO"), message.indexOf(" (or call create)"));
    database.execute(insert);
    gives(store.state(fresh), new SequenceState(fresh, 1));
  }

  @Test
  void aMissingTableSaysWhatToRun() {
    R2dbcSequenceStore nowhere = R2dbcSequenceStore.builder(connections).table("nowhere").build();
    String ddl = nowhere.createTableDdl(dialect);
    fails(nowhere.reserve(name, 1), SequenceNotFoundException.class, ddl, "INSERT INTO");
    fails(nowhere.state(name), SequenceNotFoundException.class, ddl);
    fails(nowhere.create(name, 1), SequenceNotFoundException.class, ddl);
    fails(nowhere.release(name, SequenceBlock.of(1, 1)), SequenceNotFoundException.class, ddl);
    R2dbcSequenceStore noSchema =
        R2dbcSequenceStore.builder(connections).table("no_schema.sequences").build();
    fails(noSchema.reserve(name, 1), SequenceNotFoundException.class, "no_schema");
  }

  @Test
  void aMissingColumnOrOneOfTheWrongTypeIsRefusedForGood() {
    fails(
        R2dbcSequenceStore.builder(connections).valueColumn("nothing").build().reserve(name, 1),
        SequenceStoreException.class,
        "nothing");
    R2dbcSequenceStore text =
        R2dbcSequenceStore.builder(connections)
            .table("wrong")
            .nameColumn("next_value")
            .valueColumn("name")
            .build();
    R2dbcSequenceStore right = R2dbcSequenceStore.builder(connections).table("wrong").build();
    done(right.createTable());
    done(right.create(name, 1));
    fails(
        text.reserve(name, 1),
        database.kind() == DatabaseKind.MARIADB // compares a text with a number, and finds no row
            ? SequenceNotFoundException.class
            : SequenceStoreException.class);
  }

  @Test
  void reservesAfreshAfterALostAnswer() {
    connections.loseAnswer(
        event -> event.contains("UPDATE"), new R2dbcNonTransientResourceException("lost"));
    fails(store.reserve(name, 10), R2dbcNonTransientResourceException.class, "lost");
    gives(store.reserve(name, 10), SequenceBlock.of(11, 10));
    assertThat(connections.open()).isZero();
  }

  @Test
  void aConflictIsRetriedAsAWhole() {
    connections.refuse(event -> event.contains("UPDATE"), conflict());
    gives(store.reserve(name, 10), SequenceBlock.of(1, 10));
    assertThat(connections.log().stream().filter("create"::equals)).hasSize(2);
    assertThat(connections.statements()).hasSize(1 + statementsOfAReservation());
    connections.refuse(event -> event.contains("UPDATE"), conflict());
    gives(store.release(name, SequenceBlock.of(1, 10)), true);
    assertThat(connections.open()).isZero();
  }

  private Throwable conflict() {
    return new R2dbcRollbackException("could not serialize", "40001");
  }

  @Test
  void manyMayCreateTheTableAtOnce() {
    R2dbcSequenceStore fresh =
        R2dbcSequenceStore.builder(connections).table("many_at_once").build();
    done(
        Flux.range(0, 4)
            .flatMap(i -> fresh.createTable().subscribeOn(Schedulers.parallel()))
            .then());
    done(fresh.create(name, 3));
    done(fresh.createTable());
    gives(fresh.reserve(name, 1), SequenceBlock.of(3, 1));
  }

  @Test
  void reservedWordsAndSchemasServeAsNames() {
    R2dbcSequenceStore words =
        R2dbcSequenceStore.builder(connections)
            .table("Select")
            .nameColumn("Order")
            .valueColumn("From")
            .nameLength(3)
            .build();
    done(words.createTable());
    done(words.create("abc", 5));
    gives(words.reserve("abc", 2), SequenceBlock.of(5, 2));
    fails(words.create("abcd", 5), IllegalArgumentException.class, "abcd", "3");

    database.execute(
        "CREATE SCHEMA " + (database.kind() == DatabaseKind.H2 ? "\"counters\"" : "counters"));
    R2dbcSequenceStore elsewhere =
        R2dbcSequenceStore.builder(connections).table("counters.sequences").build();
    done(elsewhere.createTable());
    done(elsewhere.create(name, 70));
    gives(elsewhere.reserve(name, 1), SequenceBlock.of(70, 1));
    gives(store.reserve(name, 1), SequenceBlock.of(1, 1));
  }

  @Test
  void refusesAConnectionWithoutAutocommit() {
    WatchedConnections transactional = new WatchedConnections(database.pooled());
    transactional.sayAutoCommit(false);
    R2dbcSequenceStore refusing =
        R2dbcSequenceStore.builder(transactional).dialect(dialect).build();
    fails(
        refusing.reserve(name, 1),
        IllegalStateException.class,
        "autocommit",
        "a separate ConnectionFactory");
    fails(refusing.state(name), IllegalStateException.class, "autocommit");
    assertThat(transactional.log()).containsExactly("create", "close", "create", "close");
    gives(store.state(name), new SequenceState(name, 1));
  }

  @Test
  void refusesAConnectionInAnOpenTransaction() {
    SharedConnection shared = new SharedConnection(database.pooled());
    done(Mono.defer(() -> Mono.from(shared.connection().beginTransaction())));
    R2dbcSequenceStore inside = R2dbcSequenceStore.create(shared);
    fails(inside.reserve(name, 1), IllegalStateException.class, "in a transaction");
    assertThat(shared.connection().isAutoCommit()).as("the transaction goes on").isFalse();
    shared.end();
    gives(store.state(name), new SequenceState(name, 1));
  }

  @Test
  void theDialectIsFoundThroughAPoolWithoutAQuery() {
    WatchedConnections watched = new WatchedConnections(database.connections());
    ConnectionPool pool = Pools.of(1, watched);
    Mono<R2dbcDialect> found = R2dbcDialect.of(pool);
    assertThat(watched.log()).isEmpty();
    gives(
        found,
        switch (database.kind()) {
          case H2 -> R2dbcDialect.H2;
          case POSTGRESQL -> R2dbcDialect.POSTGRESQL;
          case MYSQL -> R2dbcDialect.MYSQL;
          default -> R2dbcDialect.MARIADB;
        });
    assertThat(watched.statements()).isEmpty();
    pool.dispose();
  }
}
