package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.Statement;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** How a cancelled statement affects the statements and transactions after it. */
@SpannerTest(ddl = "CREATE TABLE Things (Id INT64 NOT NULL, Label STRING(MAX)) PRIMARY KEY (Id)")
class CancelledStatementTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int SESSIONS = 4;
  private static final Statement QUERY = Statement.of("SELECT 1");
  private static final Statement DML = Statement.of("UPDATE Things SET Label = '' WHERE Id = 1");

  /** Every kind of statement. */
  enum Kind {
    QUERY {
      @Override
      Publisher<?> of(SpannerTransaction tx) {
        return tx.query(CancelledStatementTest.QUERY);
      }
    },
    READ {
      @Override
      Publisher<?> of(SpannerTransaction tx) {
        return tx.readRow("Things", Key.of(1), List.of("Label"));
      }
    },
    DML {
      @Override
      Publisher<?> of(SpannerTransaction tx) {
        return tx.executeUpdate(CancelledStatementTest.DML);
      }
    },
    BATCH {
      @Override
      Publisher<?> of(SpannerTransaction tx) {
        return tx.executeBatchUpdate(
            List.of(CancelledStatementTest.DML, CancelledStatementTest.DML));
      }
    },
    RETURNING {
      @Override
      Publisher<?> of(SpannerTransaction tx) {
        return tx.query(
            Statement.of("UPDATE Things SET Label = '' WHERE Id = 1 THEN RETURN Label"));
      }
    };

    abstract Publisher<?> of(SpannerTransaction tx);
  }

  private Spanner spanner;
  private CountedManagers managers;

  @BeforeEach
  void connect(EmulatorDatabase database) {
    spanner = database.emulator().connect(SESSIONS);
    DatabaseClient client = spanner.getDatabaseClient(database.id());
    client.write(List.of(Mutation.delete("Things", KeySet.all())));
    managers = new CountedManagers(client);
  }

  @AfterEach
  void disconnect() {
    try (Spanner closing = spanner) {
      everySessionCameBack();
    }
  }

  private void everySessionCameBack() {
    Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(managers.open()).isEmpty());
    assertThat(managers.closedTwice()).isZero();
  }

  private static void cancelAtOnce(Publisher<?> statement) {
    Flux.from(statement)
        .subscribe(
            new BaseSubscriber<Object>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                cancel();
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void aFirstStatementCancelledAsItIsSubscribedToHoldsNobodyUp(Kind kind) {
    for (int i = 0; i < 2 * SESSIONS; i++) {
      StepVerifier.create(
              SpannerTransactions.readWrite(
                  managers.client(),
                  tx -> {
                    cancelAtOnce(kind.of(tx));
                    return tx.query(QUERY).then(Mono.just(1));
                  }))
          .expectNext(1)
          .expectComplete()
          .verify(LIMIT);
    }
    assertThat(managers.given()).isGreaterThanOrEqualTo(2 * SESSIONS);
  }

  @ParameterizedTest
  @EnumSource
  void aFirstStatementCancelledInFlightHoldsNobodyUp(Kind kind) {
    for (int i = 0; i < 2 * SESSIONS; i++) {
      StepVerifier.create(
              SpannerTransactions.readWrite(
                  managers.client(),
                  tx -> {
                    Flux.from(kind.of(tx)).subscribe().dispose();
                    return tx.executeUpdate(DML).then(tx.query(QUERY).then(Mono.just(1)));
                  }))
          .expectNext(1)
          .expectComplete()
          .verify(LIMIT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLaterStatementThatIsCancelledHoldsNobodyUp(Kind kind) {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                managers.client(),
                tx ->
                    tx.query(QUERY)
                        .then(
                            Mono.defer(
                                () -> {
                                  cancelAtOnce(kind.of(tx));
                                  Flux.from(kind.of(tx)).subscribe().dispose();
                                  return tx.executeUpdate(DML);
                                }))))
        .expectNext(0L)
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void aTransactionWhoseFirstStatementWasCancelledCanBeCancelled() {
    for (int i = 0; i < 2 * SESSIONS; i++) {
      SpannerTransactions.readWrite(
              managers.client(),
              tx -> {
                cancelAtOnce(tx.executeUpdate(DML));
                return Mono.never();
              })
          .subscribe()
          .dispose();
    }
  }

  /** The moment at which a transaction that is about to send a statement is cancelled. */
  enum Moment {
    BEFORE_SUBSCRIPTION {
      @Override
      Publisher<?> cancelling(Publisher<?> statement, Runnable cancel) {
        return Flux.defer(
            () -> {
              cancel.run();
              return statement;
            });
      }
    },
    AT_SUBSCRIPTION {
      @Override
      Publisher<?> cancelling(Publisher<?> statement, Runnable cancel) {
        return Flux.from(statement).doOnSubscribe(subscription -> cancel.run());
      }
    },
    AT_REQUEST {
      @Override
      Publisher<?> cancelling(Publisher<?> statement, Runnable cancel) {
        return Flux.from(statement).doOnRequest(n -> cancel.run());
      }
    },
    BEHIND_THE_FIRST {
      @Override
      Publisher<?> cancelling(Publisher<?> statement, Runnable cancel) {
        return Flux.merge(statement, statement, Mono.fromRunnable(cancel));
      }
    };

    abstract Publisher<?> cancelling(Publisher<?> statement, Runnable cancel);
  }

  static Stream<Arguments> kindsAndMoments() {
    return Arrays.stream(Kind.values())
        .flatMap(kind -> Arrays.stream(Moment.values()).map(moment -> arguments(kind, moment)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndMoments")
  void whoeverCancelsATransactionLearnsNoErrorOfItsStatements(Kind kind, Moment moment) {
    Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
    Disposable.Swap transaction = Disposables.swap();
    CountDownLatch cancelled = new CountDownLatch(1);
    Runnable cancel =
        () -> {
          transaction.dispose();
          cancelled.countDown();
        };
    Consumer<Throwable> hook = dropped::add;
    Sinks.Empty<Void> assigned = Sinks.empty(); // from then on a cancel reaches the subscription
    transaction.update(
        SpannerTransactions.readWrite(
                managers.client(),
                tx ->
                    assigned
                        .asMono()
                        .publishOn(Schedulers.parallel())
                        .then(Mono.when(moment.cancelling(kind.of(tx), cancel))))
            .subscribe(null, null, null, Context.of("reactor.onErrorDropped.local", hook)));
    assigned.tryEmitEmpty().orThrow();
    Awaitility.await().atMost(LIMIT).until(() -> cancelled.getCount() == 0);
    everySessionCameBack();
    assertThat(dropped).isEmpty();
  }
}
