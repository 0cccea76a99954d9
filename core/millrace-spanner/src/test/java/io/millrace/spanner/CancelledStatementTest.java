package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.Statement;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

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
}
