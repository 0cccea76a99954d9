package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** What the store does on each database, beyond the contract of all stores. */
class R2dbcSequenceStoreTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static void done(Mono<?> work) {
    StepVerifier.create(work.then()).expectComplete().verify(LIMIT);
  }

  private static <T> void gives(Mono<T> work, T value) {
    StepVerifier.create(work).expectNext(value).expectComplete().verify(LIMIT);
  }

  private static void fails(Mono<?> work, Class<? extends Throwable> type, String... parts) {
    StepVerifier.create(work)
        .expectErrorSatisfies(
            e -> {
              assertThat(e).isInstanceOf(type);
              for (String part : parts) {
                assertThat(e).hasMessageContaining(part);
              }
            })
        .verify(LIMIT);
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    R2dbcDatabase database;
    R2dbcDialect dialect;
    WatchedConnections connections;
    R2dbcSequenceStore store;
    String name = "";

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      connections = new WatchedConnections(created.pooled());
      store = R2dbcSequenceStore.create(connections);
      dialect = R2dbcDialect.of(created.pooled()).blockOptional(LIMIT).orElseThrow();
      done(store.createTable());
    }

    @BeforeEach
    void create() {
      name = "invoice_" + UUID.randomUUID();
      done(store.create(name, 1));
      connections.clear();
    }

    @Test
    void nothingIsSentBeforeSubscription() {
      Mono<SequenceBlock> reservation = store.reserve(name, 10);
      store.state(name);
      store.release(name, SequenceBlock.of(1, 1));
      store.create(name, 5);
      store.advanceTo(name, 5);
      store.createTable();
      assertThat(connections.log()).isEmpty();
      gives(reservation, SequenceBlock.of(1, 10));
      gives(reservation, SequenceBlock.of(11, 10));
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
    void severalStoresThatReserveInParallelShareNoValue() {
      List<R2dbcSequenceStore> stores =
          IntStream.range(0, 4)
              .mapToObj(i -> R2dbcSequenceStore.create(database.pooled()))
              .toList();
      List<Long> values =
          Flux.range(0, 80)
              .flatMap(
                  i ->
                      stores
                          .get(i % stores.size())
                          .reserve(name, 3)
                          .subscribeOn(Schedulers.parallel()),
                  12)
              .flatMap(block -> Flux.range(0, 3).map(block::valueAt))
              .collectList()
              .block(LIMIT);
      assertThat(values)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 240).boxed().toList());
    }

    @Test
    void aMissingRowSaysWhatToRun() {
      fails(
          store.reserve("absent", 1),
          SequenceNotFoundException.class,
          "absent",
          "sequences",
          "INSERT INTO",
          "'absent', 1");
      fails(store.state("absent"), SequenceNotFoundException.class, "INSERT INTO");
      fails(store.release("absent", SequenceBlock.of(1, 1)), SequenceNotFoundException.class);
      fails(store.advanceTo("absent", 1), SequenceNotFoundException.class);
      fails(store.state("o'dd"), SequenceNotFoundException.class, "call create");
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
    void aReservationWhoseAnswerIsLostIsReportedAndTheNextOneIsFresh() {
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

    @Test
    void aReleaseWhoseAnswerIsLostIsNotSentAgain() {
      done(store.reserve(name, 10));
      connections.clear();
      connections.loseAnswer(
          event -> event.startsWith("UPDATE"), new R2dbcNonTransientResourceException("lost"));
      fails(
          store.release(name, SequenceBlock.of(6, 5)),
          R2dbcNonTransientResourceException.class,
          "lost");
      assertThat(connections.statements()).hasSize(1);
      gives(store.reserve(name, 5), SequenceBlock.of(6, 5));
    }

    @Test
    void conflictsWithoutEndAreReportedWithTheLimit() {
      R2dbcSequenceStore impatient =
          R2dbcSequenceStore.builder(
                  new WatchedConnections(connections)
                      .refuse(event -> event.contains("UPDATE"), conflict()))
              .maxAttempts(1)
              .build();
      StepVerifier.create(impatient.reserve(name, 1))
          .expectErrorSatisfies(
              e ->
                  assertThat(e)
                      .isInstanceOfSatisfying(
                          TransactionRetriesExhaustedException.class,
                          exhausted -> assertThat(exhausted.attempts()).isEqualTo(1))
                      .hasMessageContaining("maxAttempts 1"))
          .verify(LIMIT);
    }

    private Throwable conflict() {
      return new R2dbcRollbackException("could not serialize", "40001");
    }

    @Test
    void theRangeEndsWithAnErrorAndNoWrappedNumber() {
      done(store.advanceTo(name, Long.MAX_VALUE - 5));
      fails(
          store.reserve(name, 6),
          SequenceExhaustedException.class,
          name,
          "6 requested values",
          "" + (Long.MAX_VALUE - 1));
      gives(store.reserve(name, 5), SequenceBlock.of(Long.MAX_VALUE - 5, 5));
      fails(store.reserve(name, 1), SequenceExhaustedException.class);
      gives(store.state(name), new SequenceState(name, Long.MAX_VALUE));
      gives(store.release(name, SequenceBlock.of(Long.MAX_VALUE - 5, 6)), false);
    }

    @Test
    void sizesAndNamesOutOfRangeAreRefusedThroughTheMono() {
      fails(store.reserve(name, 0), IllegalArgumentException.class, "0");
      fails(store.reserve("", 1), IllegalArgumentException.class, "1 to 64");
      fails(store.reserve("x".repeat(65), 1), IllegalArgumentException.class, "65");
      fails(store.state(""), IllegalArgumentException.class);
      fails(store.create("", 1), IllegalArgumentException.class);
      String widest = "\uD83D\uDE00".repeat(64);
      assertThat(connections.log()).isEmpty();
      if (database.kind() != DatabaseKind.H2) { // counts such a character twice
        done(store.create(widest, 1));
        gives(store.reserve(widest, 1), SequenceBlock.of(1, 1));
      }
    }

    @Test
    void aCounterAdvancesAndNeverMovesBack() {
      gives(store.advanceTo(name, 100), new SequenceState(name, 100));
      gives(store.advanceTo(name, 50), new SequenceState(name, 100));
      gives(store.reserve(name, 1), SequenceBlock.of(100, 1));
      gives(store.advanceTo(name, 101), new SequenceState(name, 101));
    }

    @Test
    void aTailThatEndsBehindTheLargestValueIsNotGivenBackAndMovesNoCounter() {
      done(store.create("lowest", Long.MIN_VALUE)); // one behind the largest long, where it wraps
      gives(store.release("lowest", SequenceBlock.of(Long.MAX_VALUE - 5, 6)), false);
      gives(store.state("lowest"), new SequenceState("lowest", Long.MIN_VALUE));
    }

    @Test
    void aTailBehindWhichOthersReservedIsNotGivenBack() {
      done(store.reserve(name, 10));
      done(store.reserve(name, 1));
      gives(store.release(name, SequenceBlock.of(7, 4)), false);
      gives(store.release(name, SequenceBlock.ofValues(11)), false);
      gives(store.state(name), new SequenceState(name, 12));
    }

    @Test
    void theTableIsCreatedOnceHoweverManyAskForItAtOnce() {
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
    void aConnectionThatIsNotInAutocommitIsRefusedAndGivenBack() {
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
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {

    @Test
    void aConnectionInsideSomebodysTransactionIsRefusedAndTheTransactionLives() {
      refusesAnOpenTransaction(database, store, name);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {

    @Test
    void aConnectionInsideSomebodysTransactionIsRefusedAndTheTransactionLives() {
      refusesAnOpenTransaction(database, store, name);
    }

    @Test
    void aPermissionThatLacksIsPermanent() {
      database.execute("CREATE ROLE nobody_" + database.hashCode() + " LOGIN PASSWORD 'x'");
      R2dbcSequenceStore powerless =
          R2dbcSequenceStore.create(as("nobody_" + database.hashCode(), "x"));
      fails(powerless.reserve(name, 1), SequenceStoreException.class, "permission denied");
    }

    private ConnectionFactory as(String user, String password) {
      String at = database.toString();
      return io.r2dbc.spi.ConnectionFactories.get(
          ConnectionFactoryOptions.builder()
              .option(ConnectionFactoryOptions.DRIVER, "postgresql")
              .option(ConnectionFactoryOptions.HOST, "localhost")
              .option(
                  ConnectionFactoryOptions.PORT,
                  Integer.parseInt(at.substring(at.lastIndexOf(':') + 1)))
              .option(ConnectionFactoryOptions.USER, user)
              .option(ConnectionFactoryOptions.PASSWORD, password)
              .option(ConnectionFactoryOptions.DATABASE, at.substring(0, at.indexOf(' ')))
              .build());
    }
  }

  abstract static class OnMySql extends Behaviour {

    @Test
    void aConnectionInsideSomebodysTransactionIsRefusedAndTheTransactionLives() {
      refusesAnOpenTransaction(database, store, name);
    }

    @Test
    void aCounterBelowZeroIsReadWithItsSign() {
      done(store.create("negative", -5));
      gives(store.reserve("negative", 2), SequenceBlock.of(-5, 2));
      gives(store.state("negative"), new SequenceState("negative", -3));
      done(store.create("lowest_of_all", Long.MIN_VALUE));
      gives(store.reserve("lowest_of_all", 2), SequenceBlock.of(Long.MIN_VALUE, 2));
    }
  }

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends OnMySql {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends OnMySql {}

  private static void refusesAnOpenTransaction(
      R2dbcDatabase database, R2dbcSequenceStore store, String name) {
    SharedConnection shared = new SharedConnection(database.pooled());
    done(Mono.defer(() -> Mono.from(shared.connection().beginTransaction())));
    R2dbcSequenceStore inside = R2dbcSequenceStore.create(shared);
    fails(inside.reserve(name, 1), IllegalStateException.class, "in a transaction");
    assertThat(shared.connection().isAutoCommit()).as("the transaction goes on").isFalse();
    shared.end();
    gives(store.state(name), new SequenceState(name, 1));
  }
}
