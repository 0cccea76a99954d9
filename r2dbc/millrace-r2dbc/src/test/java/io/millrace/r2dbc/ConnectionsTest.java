package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.util.RaceTestUtils;

/** Connections are given back once, whatever happens to the work or to the one who asked for it. */
class ConnectionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A Mono that has given its connection and has not completed yet. */
  private static Mono<Connection> unfinished(Flux<Connection> source) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Connection> actual) {
        source.subscribe(actual);
      }
    };
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    R2dbcDatabase database;
    R2dbcDialect dialect;
    WatchedConnections watched;
    R2dbcSequenceStore plain;
    R2dbcSequenceStore store;
    String name = "";

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      plain = R2dbcSequenceStore.create(created.connections());
      dialect = R2dbcDialect.of(created.connections()).blockOptional(LIMIT).orElseThrow();
      plain.createTable().block(LIMIT);
    }

    @BeforeEach
    void create() {
      name = "invoice_" + UUID.randomUUID();
      plain.create(name, 1).block(LIMIT);
      watched = new WatchedConnections(database.connections());
      store = on(watched);
    }

    private R2dbcSequenceStore on(ConnectionFactory source) {
      return R2dbcSequenceStore.builder(source).dialect(dialect).build();
    }

    private long nextValue() {
      return plain.state(name).map(SequenceState::nextValue).blockOptional(LIMIT).orElseThrow();
    }

    private static void eventually(Runnable assertions) {
      Awaitility.await().atMost(LIMIT).pollDelay(Duration.ZERO).untilAsserted(assertions::run);
    }

    @Test
    void aPoolOfOneConnectionServesSuccessesAndFailuresForEver() {
      ConnectionPool pool = Pools.of(1, watched);
      R2dbcSequenceStore pooled = on(pool);
      for (int i = 0; i < 5; i++) {
        assertThat(pooled.reserve(name, 2).block(LIMIT)).isEqualTo(SequenceBlock.of(1 + 2 * i, 2));
        StepVerifier.create(pooled.reserve("absent", 1))
            .expectError(SequenceNotFoundException.class)
            .verify(LIMIT);
        StepVerifier.create(TestTransactions.advance(pool, dialect, "absent"))
            .expectError(SequenceNotFoundException.class)
            .verify(LIMIT);
      }
      Pools.awaitReturns(pool);
      pool.dispose();
      watched.awaitClosed();
      assertThat(watched.closedTwice()).isZero();
    }

    @Test
    void aCancelWhileWaitingForAConnectionTakesNone() {
      ConnectionPool pool = Pools.of(1, database.connections());
      Connection held = pool.create().blockOptional(LIMIT).orElseThrow();
      Disposable waiting = on(pool).reserve(name, 1).subscribe();
      eventually(
          () -> assertThat(pool.getMetrics().orElseThrow().pendingAcquireSize()).isEqualTo(1));
      waiting.dispose();
      eventually(() -> assertThat(pool.getMetrics().orElseThrow().pendingAcquireSize()).isZero());
      Mono.from(held.close()).block(LIMIT);
      Pools.awaitReturns(pool);
      assertThat(nextValue()).isEqualTo(1);
      pool.dispose();
    }

    @Test
    void aCancelAtAnyMomentReturnsItsConnection() {
      ConnectionPool pool = Pools.of(1, watched);
      R2dbcSequenceStore pooled = on(pool);
      pooled.reserve(name, 1).block(LIMIT);
      List<SequenceBlock> blocks = new CopyOnWriteArrayList<>();
      int rounds = 200;
      // goes on until some were answered before they left, and some were not
      for (int i = 0; i < rounds || blocks.isEmpty() || blocks.size() == i; i++) {
        AtomicReference<@Nullable Disposable> subscription = new AtomicReference<>();
        long pause = (i % 40) * (i < rounds ? 25_000L : 250_000L);
        Mono<SequenceBlock> reservation =
            i % 2 == 0
                ? pooled.reserve(name, 1)
                : TestTransactions.advance(pool, dialect, name)
                    .thenReturn(SequenceBlock.of(Long.MIN_VALUE, 1));
        RaceTestUtils.race(
            (int) LIMIT.toSeconds(),
            Schedulers.boundedElastic(),
            () -> subscription.set(reservation.onErrorComplete().subscribe(blocks::add)),
            () -> {
              LockSupport.parkNanos(pause);
              Disposable current = subscription.get();
              while (current == null) {
                Thread.onSpinWait();
                current = subscription.get();
              }
              current.dispose();
            });
      }
      Pools.awaitReturns(pool);
      List<Long> values =
          blocks.stream().map(SequenceBlock::first).filter(first -> first > 0).toList();
      assertThat(values).doesNotHaveDuplicates();
      assertThat(pooled.reserve(name, 1).block(LIMIT)).as("the pool still serves").isNotNull();
      pool.dispose();
      watched.awaitClosed();
      assertThat(watched.closedTwice()).isZero();
    }

    @Test
    void aCancelledTransactionIsRolledBack() {
      Sinks.Empty<Object> gate = Sinks.empty();
      watched.atNext(event -> event.startsWith("UPDATE"), work -> work.concatWith(gate.asMono()));
      Disposable leaving = TestTransactions.advance(watched, dialect, name).subscribe();
      eventually(() -> assertThat(watched.statements()).anyMatch(sql -> sql.startsWith("UPDATE")));
      leaving.dispose();
      assertThat(watched.log()).as("what is under way is awaited").doesNotContain("close");
      gate.tryEmitEmpty();
      eventually(() -> assertThat(watched.log()).endsWith("rollback", "close"));
      assertThat(watched.log()).doesNotContain("commit");
      assertThat(nextValue()).isEqualTo(1);
    }

    @Test
    void aCommitUnderWayIsAwaited() {
      Sinks.Empty<Object> gate = Sinks.empty();
      watched.atNext(event -> event.equals("commit"), work -> gate.asMono().thenMany(work));
      Disposable leaving = TestTransactions.advance(watched, dialect, name).subscribe();
      eventually(() -> assertThat(watched.log()).contains("commit"));
      leaving.dispose();
      gate.tryEmitEmpty();
      eventually(() -> assertThat(watched.log()).endsWith("commit", "close"));
      assertThat(watched.log()).doesNotContain("rollback");
      assertThat(nextValue()).isGreaterThan(1);
    }

    @Test
    void aReservationIsAnsweredWhenItsStatementIsDoneAndNotWithItsFirstRow() {
      Sinks.Empty<Object> gate = Sinks.empty();
      watched.atNext(event -> event.contains("UPDATE"), work -> work.concatWith(gate.asMono()));
      AtomicReference<@Nullable SequenceBlock> block = new AtomicReference<>();
      Mono<SequenceBlock> reservation = store.reserve(name, 1).cache();
      Disposable waiting = reservation.subscribe(block::set, expected -> {});
      eventually(() -> assertThat(watched.statements()).hasSize(1));
      gate.tryEmitError(new IllegalStateException("the commit failed"));
      StepVerifier.create(reservation).expectErrorMessage("the commit failed").verify(LIMIT);
      assertThat(block.get()).isNull();
      watched.awaitClosed();
      waiting.dispose();
    }

    @Test
    void aCancelDoesNotReachTheSourceWhileItsConnectionWorks() {
      AtomicReference<@Nullable Boolean> cancelled = new AtomicReference<>(false);
      ConnectionFactory listening =
          new ConnectionFactory() {
            @Override
            public Publisher<? extends Connection> create() {
              return Flux.concat(Mono.from(watched.create()), Mono.<Connection>never())
                  .doOnCancel(() -> cancelled.set(true))
                  .as(ConnectionsTest::unfinished);
            }

            @Override
            public ConnectionFactoryMetadata getMetadata() {
              return watched.getMetadata();
            }
          };
      Sinks.Empty<Object> gate = Sinks.empty();
      watched.atNext(event -> event.contains("UPDATE"), work -> gate.asMono().thenMany(work));
      Disposable leaving = on(listening).reserve(name, 1).subscribe();
      eventually(() -> assertThat(watched.statements()).hasSize(1));
      leaving.dispose();
      assertThat(cancelled)
          .as("the source heard of it while its connection worked")
          .hasValue(false);
      gate.tryEmitEmpty();
      watched.awaitClosed();
    }

    @Test
    void aConnectionThatCannotBeGivenBackLosesNoReservation() {
      watched.refuse(event -> event.equals("close"), new IllegalStateException("no close"));
      assertThat(store.reserve(name, 3).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 3));
      assertThat(watched.log()).endsWith("close");
    }

    @Test
    void aConnectionThatCannotBeRolledBackIsNotUsedAgain() {
      ConnectionPool pool = Pools.of(1, watched);
      R2dbcSequenceStore pooled = on(pool);
      pooled.state(name).block(LIMIT);
      watched.clear();
      watched.refuse(event -> event.equals("rollback"), new IllegalStateException("no rollback"));
      StepVerifier.create(TestTransactions.advance(pool, dialect, "absent"))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
      eventually(() -> assertThat(watched.log()).contains("begin", "rollback", "close"));
      assertThat(watched.log()).doesNotContain("create");
      assertThat(pooled.reserve(name, 3).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 3));
      assertThat(watched.log()).contains("create");
      pool.dispose();
    }

    @Test
    void aTransactionWhoseBeginFailedIsOverBeforeItsConnectionServesOthers() {
      ConnectionPool pool = Pools.of(1, watched);
      R2dbcSequenceStore pooled = on(pool);
      watched.loseAnswer(
          event -> event.equals("begin"), new IllegalStateException("begun, but not told"));
      StepVerifier.create(TestTransactions.advance(pool, dialect, name))
          .expectErrorMessage("begun, but not told")
          .verify(LIMIT);
      assertThat(watched.log()).endsWith("begin", "rollback");
      assertThat(TestTransactions.advance(pool, dialect, name).block(LIMIT)).isNotNull();
      Pools.awaitReturns(pool);
      pool.dispose();
    }

    @Test
    void aConnectionThatComesTooLateIsGivenBackUnused() {
      AtomicReference<@Nullable Subscriber<? super Connection>> asked = new AtomicReference<>();
      ConnectionFactory slow =
          new ConnectionFactory() {
            @Override
            public Publisher<? extends Connection> create() {
              return Flux.from(
                  (Subscriber<? super Connection> subscriber) -> {
                    subscriber.onSubscribe(Operators.emptySubscription());
                    asked.set(subscriber);
                  });
            }

            @Override
            public ConnectionFactoryMetadata getMetadata() {
              return watched.getMetadata();
            }
          };
      Disposable leaving = on(deafToCancel(slow)).reserve(name, 1).subscribe();
      eventually(() -> assertThat(asked.get()).isNotNull());
      leaving.dispose();
      Connection late =
          Mono.from(watched.create()).cast(Connection.class).blockOptional(LIMIT).orElseThrow();
      Subscriber<? super Connection> subscriber = Objects.requireNonNull(asked.get());
      subscriber.onNext(late);
      subscriber.onComplete();
      watched.awaitClosed();
      assertThat(watched.log()).containsExactly("create", "close");
    }

    /** A source that gives what it has although nobody wants it any more. */
    private ConnectionFactory deafToCancel(ConnectionFactory source) {
      return new ConnectionFactory() {
        @Override
        public Publisher<? extends Connection> create() {
          return new Mono<Connection>() {
            @Override
            public void subscribe(CoreSubscriber<? super Connection> actual) {
              source.create().subscribe(actual);
            }
          };
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
          return source.getMetadata();
        }
      };
    }

    @Test
    void aSourceWithoutAConnectionIsAnError() {
      ConnectionFactory empty =
          new ConnectionFactory() {
            @Override
            public Publisher<? extends Connection> create() {
              return Mono.empty();
            }

            @Override
            public ConnectionFactoryMetadata getMetadata() {
              return watched.getMetadata();
            }
          };
      StepVerifier.create(on(empty).reserve(name, 1))
          .expectErrorMessage("the source of connections emitted none")
          .verify(LIMIT);
    }

    @Test
    void theCallersThreadDoesTheDriversWorkOnlyIfTheDriverDoesNotBlock() {
      store
          .reserve(name, 1)
          .then(TestTransactions.advance(watched, dialect, name))
          .subscribeOn(Schedulers.parallel())
          .block(LIMIT);
      assertThat(watched.threads()).hasSizeGreaterThan(7);
      if (dialect.isBlocking()) {
        assertThat(watched.threads()).allMatch(thread -> thread.startsWith("boundedElastic"));
      } else {
        assertThat(watched.threads()).noneMatch(thread -> thread.startsWith("boundedElastic"));
      }
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {

    @Test
    void aCancelInterruptsNoThreadInsideTheDatabase() {
      AtomicReference<@Nullable Boolean> interrupted = new AtomicReference<>();
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch left = new CountDownLatch(1);
      watched.atNext(
          event -> event.contains("UPDATE"),
          work ->
              Flux.defer(
                  () -> {
                    inside.countDown();
                    interrupted.set(
                        !Uninterruptibles.awaitUninterruptibly(left, LIMIT)
                            || Thread.currentThread().isInterrupted());
                    return work;
                  }));
      Disposable leaving = store.reserve(name, 1).subscribe();
      assertThat(Uninterruptibles.awaitUninterruptibly(inside, LIMIT)).isTrue();
      leaving.dispose();
      left.countDown();
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAtomic(interrupted, org.hamcrest.Matchers.is(false));
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}
}
