package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a store over sequences of the database does, beyond the contract of all stores. */
class R2dbcNativeSequenceStoreTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static <T> T answer(Mono<T> request) {
    return request.blockOptional(LIMIT).orElseThrow();
  }

  private static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  private static List<Long> run(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    R2dbcDatabase database;
    WatchedConnections connections;
    ConnectionPool others;
    R2dbcNativeSequenceStore pooled;
    R2dbcNativeSequenceStore pooledLo;
    String name = "";

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      connections = new WatchedConnections(created.connections());
      others = Pools.of(2, created.connections());
    }

    @AfterAll
    void disconnect() {
      others.dispose();
    }

    /** Stores that know nothing, and a name that is not in use. */
    @BeforeEach
    void begin() {
      pooled = R2dbcNativeSequenceStore.create(connections);
      pooledLo = R2dbcNativeSequenceStore.createPooledLo(connections);
      name = "order_" + UUID.randomUUID();
      connections.clear();
    }

    void sql(String sql) {
      database.execute(database.kind().quoted(sql));
    }

    void create(String options) {
      sql("CREATE SEQUENCE \"" + name + "\" " + options);
    }

    /** What a program gets that calls nextval itself. */
    Mono<Long> nextval() {
      String call =
          switch (database.kind()) {
            case POSTGRESQL -> "SELECT nextval('\"" + name + "\"')";
            case H2 -> "SELECT NEXT VALUE FOR \"" + name + "\"";
            default -> "SELECT NEXTVAL(`" + name + "`)";
          };
      return Mono.usingWhen(
          others.create(),
          connection -> Results.firstValue(connection.createStatement(call), Long.class),
          Connection::close);
    }

    SequenceBlock reserve(R2dbcNativeSequenceStore store, long size) {
      return answer(store.reserve(name, size));
    }

    void fails(Mono<?> request, Class<? extends Throwable> type, String... parts) {
      assertThatThrownBy(() -> request.block(LIMIT))
          .isInstanceOf(type)
          .satisfies(
              failure -> {
                for (String part : parts) {
                  assertThat(failure).hasMessageContaining(part);
                }
              });
    }

    @Test
    void aReservationIsOneStatementOnceTheSequenceIsKnown() {
      create("INCREMENT BY 50");
      assertThat(valuesOf(reserve(pooled, 1))).containsExactly(1L);
      assertThat(connections.statements()).hasSize(2);
      connections.clear();

      assertThat(valuesOf(reserve(pooled, 100))).isEqualTo(run(2, 101));

      assertThat(connections.statements()).hasSize(1);
      assertThat(connections.log()).startsWith("create").endsWith("close").hasSize(3);
    }

    @Test
    void theRestOfABlockIsTakenWithoutAStatement() {
      create("INCREMENT BY 50");
      assertThat(valuesOf(reserve(pooledLo, 10))).isEqualTo(run(1, 10));
      connections.clear();

      assertThat(valuesOf(reserve(pooledLo, 30))).isEqualTo(run(11, 40));
      assertThat(connections.log()).isEmpty();

      assertThat(valuesOf(reserve(pooledLo, 70))).isEqualTo(run(41, 110));
      assertThat(connections.statements()).hasSize(1);
    }

    @Test
    void pooledBlocksEndWithTheValueOfTheDatabase() {
      create("INCREMENT BY 50");
      answer(nextval());
      assertThat(answer(nextval())).isEqualTo(51);
      assertThat(valuesOf(reserve(pooled, 50))).isEqualTo(run(52, 101));
      assertThat(answer(nextval())).isEqualTo(151);
      assertThat(valuesOf(reserve(pooledLo, 50))).isEqualTo(run(201, 250));
    }

    @Test
    void jumpsOverValuesThatOthersTook() {
      create("INCREMENT BY 10");
      reserve(pooled, 1); // the start value is a block of its own
      List<Long> values = new ArrayList<>(valuesOf(reserve(pooled, 5)));
      answer(nextval());

      values.addAll(valuesOf(reserve(pooled, 15)));

      assertThat(values).hasSize(20).startsWith(2L, 3L, 4L, 5L, 6L);
      assertThat(values.subList(5, 20))
          .isEqualTo(
              List.of(7L, 8L, 9L, 10L, 11L, 22L, 23L, 24L, 25L, 26L, 27L, 28L, 29L, 30L, 31L));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1_000})
    void manyValuesTakeSeveralStatements(int increment) {
      create("INCREMENT BY " + increment);
      SequenceBlock block = reserve(pooledLo, 25_000);
      assertThat(valuesOf(block)).isEqualTo(run(1, 25_000));
      assertThat(block.isRun()).isTrue();
      int calls = (25_000 - 1) / increment + 1;
      int most = database.kind() == DatabaseKind.MARIADB ? 1_000 : 10_000;
      assertThat(connections.statements()).hasSize(1 + (calls - 1) / most + 1);
    }

    @Test
    void aReservationHasAtMostAMillionValues() {
      create("INCREMENT BY 1000000");
      assertThat(reserve(pooledLo, 1_000_000)).isEqualTo(SequenceBlock.of(1, 1_000_000));
      fails(pooledLo.reserve(name, 1_000_001), IllegalArgumentException.class, "1000001");
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "50, false", "50, true"})
    void issuesNoValueTwiceBesideCallersOfNextval(int increment, boolean begins) {
      create("INCREMENT BY " + increment);
      Function<ConnectionFactory, R2dbcNativeSequenceStore> stores =
          begins ? R2dbcNativeSequenceStore::createPooledLo : R2dbcNativeSequenceStore::create;
      R2dbcNativeSequenceStore one = stores.apply(database.connections());
      R2dbcNativeSequenceStore other = stores.apply(database.connections());
      SequenceGenerator ids = SequenceGenerator.builder(one, name).build();
      SequenceGenerator more =
          SequenceGenerator.builder(other, name).blockSize(170).lowWatermark(30).build();
      Mono<List<Long>> nextvals =
          nextval().subscribeOn(Schedulers.parallel()).repeat(299).collectList();

      List<Long> values =
          answer(
              Flux.merge(
                      ids.values().take(4_000).collectList(),
                      more.values().take(4_000).collectList(),
                      Flux.range(0, 2_000).flatMap(i -> ids.next(), 64).collectList(),
                      nextvals)
                  .flatMapIterable(each -> each)
                  .collectList());

      assertThat(values).hasSize(10_300).doesNotHaveDuplicates();
      Mono.when(ids.disposeLater(), more.disposeLater(), one.close(), other.close()).block(LIMIT);
    }

    @Test
    void aMissingSequenceSaysWhatToRun() {
      fails(
          pooled.reserve(name, 1),
          SequenceNotFoundException.class,
          "'" + name + "'",
          "CREATE SEQUENCE",
          "case");
      fails(pooled.state(name), SequenceNotFoundException.class, "CREATE SEQUENCE");
      fails(pooled.reserve("no_schema." + name, 1), SequenceNotFoundException.class);
    }

    @Test
    void theStatementThatAMissingSequenceNamesCreatesIt() {
      Throwable missing =
          pooled.state(name).then(Mono.<Throwable>empty()).onErrorResume(Mono::just).block(LIMIT);
      String message = String.valueOf(missing == null ? null : missing.getMessage());
      database.execute(
          message.substring(message.indexOf("CREATE SEQUENCE"), message.indexOf(" (or call")));
      assertThat(answer(pooled.state(name))).isEqualTo(new SequenceState(name, 1));
    }

    @Test
    void aSequenceThatWasDroppedIsMissing() {
      create("INCREMENT BY 1");
      reserve(pooled, 1);
      sql("DROP SEQUENCE \"" + name + "\"");
      fails(pooled.reserve(name, 1), SequenceNotFoundException.class, name);
    }

    @Test
    void aNameMayHaveASchema() {
      sql("CREATE SCHEMA IF NOT EXISTS \"shop\"");
      sql("CREATE SEQUENCE \"shop\".\"" + name + "\" START WITH 700 " + noCache());
      create("START WITH 7");
      assertThat(valuesOf(answer(pooled.reserve("shop." + name, 2)))).isEqualTo(run(700, 701));
      assertThat(answer(pooled.state("shop." + name)).nextValue()).isEqualTo(702);
      assertThat(valuesOf(reserve(pooled, 2))).isEqualTo(run(7, 8));
    }

    @Test
    void sequencesThatWouldIssueValuesTwiceAreRefused() {
      create("INCREMENT BY -1 MINVALUE -100 MAXVALUE 100 START WITH 5");
      fails(pooled.reserve(name, 1), SequenceStoreException.class, "INCREMENT BY -1", name);
      assertThat(connections.statements()).as("no value is taken").hasSize(1);
      fails(pooled.state(name), SequenceStoreException.class, "INCREMENT BY -1");
      name = name + "c";
      create("MAXVALUE 100 CYCLE");
      fails(pooled.reserve(name, 1), SequenceStoreException.class, "CYCLE");
    }

    @Test
    void theEndOfASequenceIsReported() {
      create("INCREMENT BY 10 MAXVALUE 35");
      assertThat(valuesOf(reserve(pooledLo, 35))).isEqualTo(run(1, 35));
      assertThatThrownBy(() -> reserve(pooledLo, 5))
          .isInstanceOfSatisfying(
              SequenceExhaustedException.class,
              end -> {
                assertThat(end.sequence()).isEqualTo(name);
                assertThat(end.limit()).isEqualTo(35);
                assertThat(end.nextValue()).isEqualTo(Long.MAX_VALUE);
              })
          .hasMessageContaining("MAXVALUE");
      assertThat(answer(pooledLo.state(name)).nextValue()).isEqualTo(Long.MAX_VALUE);
      Awaitility.await().atMost(LIMIT).until(() -> connections.open() == 0);
    }

    @Test
    void theStateIsTheFirstValueOfTheNextBlock() {
      create("INCREMENT BY 50 START WITH 1000 " + noCache());
      assertThat(answer(pooled.state(name)).nextValue()).isEqualTo(1_000);
      assertThat(answer(pooledLo.state(name)).nextValue()).isEqualTo(1_000);
      answer(nextval());
      assertThat(answer(pooled.state(name)).nextValue()).isEqualTo(1_001);
      assertThat(answer(pooledLo.state(name)).nextValue()).isEqualTo(1_050);
      assertThat(valuesOf(reserve(pooled, 1))).containsExactly(1_001L);
    }

    private String noCache() {
      return database.kind() == DatabaseKind.POSTGRESQL ? "" : "NOCACHE";
    }

    @Test
    void aCreatedSequenceBeginsWithItsStartValueAlsoBelowOne() {
      for (long start : new long[] {1, 0, -70, 5_000_000_000L, SequenceState.LARGEST_VALUE - 9}) {
        name = "created_" + UUID.randomUUID();
        answer(pooled.create(name, start).thenReturn(true));
        assertThat(answer(pooled.state(name)).nextValue()).isEqualTo(start);
        assertThat(valuesOf(reserve(pooled, 2))).isEqualTo(run(start, start + 1));
      }
    }

    @Test
    void aReservationWhoseAnswerIsLostLeavesAGap() {
      create("INCREMENT BY 10");
      R2dbcNativeSequenceStore store = R2dbcNativeSequenceStore.createPooledLo(connections);
      List<Long> values = new ArrayList<>(valuesOf(reserve(store, 5)));
      connections.loseAnswer(
          event -> event.contains(" "), new R2dbcNonTransientResourceException("connection reset"));
      assertThatThrownBy(() -> reserve(store, 20)).hasMessageContaining("reset");
      values.addAll(valuesOf(reserve(store, 20)));
      assertThat(values).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void theStorePromisesNoOrderAndTakesNothingBack() {
      create("INCREMENT BY 1");
      assertThat(pooled.isOrdered()).isFalse();
      assertThat(pooled.isReleasable()).isFalse();
      assertThat(answer(pooled.release(name, reserve(pooled, 1)))).isFalse();
      fails(pooled.advanceTo(name, 10), UnsupportedOperationException.class, name);
      assertThatThrownBy(() -> SequenceGenerator.builder(pooled, name).blockSize(1).build())
          .isInstanceOf(InvalidOptionException.class);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {

    @Test
    void aNameWithoutQuotesIsInUpperCase() {
      database.execute("CREATE SEQUENCE plain_ids START WITH 3");
      assertThat(answer(pooled.reserve("PLAIN_IDS", 1)).first()).isEqualTo(3);
      fails(pooled.reserve("plain_ids", 1), SequenceNotFoundException.class, "case");
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {

    @Test
    void theRightToUseASequenceIsEnoughAndIsNeeded() {
      create("INCREMENT BY 50");
      database.execute("CREATE ROLE \"" + name + "\"");
      R2dbcNativeSequenceStore store = R2dbcNativeSequenceStore.create(as(name));
      fails(store.reserve(name, 1), SequenceStoreException.class, "permission denied");
      database.execute("GRANT USAGE ON SEQUENCE \"" + name + "\" TO \"" + name + "\"");
      assertThat(valuesOf(reserve(store, 51))).isEqualTo(run(1, 51));
      fails(store.state(name), SequenceStoreException.class, "permission denied");
      store.close().block(LIMIT);
    }

    private ConnectionFactory as(String role) {
      ConnectionFactory all = database.connections();
      return new ConnectionFactory() {
        @Override
        public Mono<Connection> create() {
          return Mono.<Connection>from(all.create())
              .delayUntil(
                  connection ->
                      Results.completion(connection.createStatement("SET ROLE \"" + role + "\"")));
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
          return all.getMetadata();
        }
      };
    }

    @Test
    void anIdentityColumnHasASequence() {
      database.execute(
          "CREATE TABLE invoice (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, note TEXT)",
          "INSERT INTO invoice (note) VALUES ('a'), ('b')");
      assertThat(valuesOf(answer(pooled.reserve("invoice_id_seq", 2)))).isEqualTo(run(3, 4));
    }

    @Test
    void connectionsThatCacheValuesIssueNoneTwice() {
      create("INCREMENT BY 10 CACHE 5");
      R2dbcNativeSequenceStore other = R2dbcNativeSequenceStore.create(connections);
      List<Long> values = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        values.addAll(valuesOf(reserve(i % 2 == 0 ? pooled : other, 7)));
      }
      assertThat(values).hasSize(140).doesNotHaveDuplicates();
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {

    /** What a Galera cluster answers; GaleraTest asks a real one. */
    @Test
    void leavesTheIncrementToAServerThatRefusesACache() {
      connections.refuse(
          event -> event.startsWith("CREATE SEQUENCE"),
          new R2dbcBadGrammarException(
              "This version of MariaDB doesn't yet support 'CACHE without INCREMENT BY 0 in Galera"
                  + " cluster'",
              "42000",
              1235));
      pooled.create(name, 5).block(LIMIT);
      assertThat(valuesOf(reserve(pooled, 2))).isEqualTo(run(5, 6));
      assertThat(question("SELECT increment FROM `" + name + "`", Long.class)).isZero();
    }

    @Test
    void takesSingleValuesIfTheServerChoosesTheIncrement() {
      create("INCREMENT BY 0");
      assertThat(valuesOf(reserve(pooled, 3))).isEqualTo(run(1, 3));
      assertThat(valuesOf(reserve(pooledLo, 2))).isEqualTo(run(4, 5));
      assertThat(answer(nextval())).isEqualTo(6);
    }

    @Test
    void theRightsToReadAndToInsertAreEnoughAndAreNeeded() {
      create("INCREMENT BY 50");
      String user = "reader_" + name.substring(6, 14);
      String schema = question("SELECT DATABASE()", String.class);
      sql("CREATE USER " + user + "@'%'");
      sql("GRANT SELECT ON \"" + name + "\" TO " + user + "@'%'");
      R2dbcNativeSequenceStore store =
          R2dbcNativeSequenceStore.create(
              MySqlServer.connectionsOf(
                  user, DatabaseKind.MARIADB, schema, question("SELECT @@port", Integer.class)));
      assertThat(answer(store.state(name)).nextValue()).isEqualTo(1);
      fails(store.reserve(name, 1), SequenceStoreException.class, "denied");
      sql("GRANT INSERT ON \"" + name + "\" TO " + user + "@'%'");
      assertThat(valuesOf(reserve(store, 51))).isEqualTo(run(1, 51));
      store.close().block(LIMIT);
      sql("DROP USER " + user + "@'%'");
    }

    private <T> T question(String sql, Class<T> type) {
      return answer(
          Mono.usingWhen(
              others.create(),
              connection -> Results.firstValue(connection.createStatement(sql), type),
              Connection::close));
    }
  }

  abstract static class Refused {

    private final String product;

    Refused(String product) {
      this.product = product;
    }

    @Test
    void itIsNamedAndRefused(ConnectionFactory factory) {
      WatchedConnections connections = new WatchedConnections(factory);
      R2dbcNativeSequenceStore store = R2dbcNativeSequenceStore.create(connections);
      for (Mono<?> request :
          List.<Mono<?>>of(store.reserve("ids", 1), store.state("ids"), store.create("ids", 1))) {
        assertThatThrownBy(() -> request.block(LIMIT))
            .isInstanceOfSatisfying(
                SequenceStoreException.class, refusal -> assertThat(refusal.isPermanent()).isTrue())
            .hasMessageContaining("sequences of " + product)
            .hasMessageContaining("R2dbcSequenceStore");
      }
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Refused {
    MySql() {
      super("MySQL");
    }
  }
}
