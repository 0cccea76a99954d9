package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.TransactionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class AttemptTransactionTest {

  /** The result sets of the statements that were sent. */
  private final List<RowsByHand> sent = new ArrayList<>();

  private final AttemptTransaction transaction =
      new AttemptTransaction(
          Proxies.of(
              TransactionContext.class,
              (proxy, method, arguments) -> {
                sent.add(new RowsByHand());
                return sent.get(sent.size() - 1).get();
              }),
          new StatementQueue(false),
          new TransactionScope());

  /** How many of three statements of one text are sent when the first one is answered. */
  private int sentAfterTheFirst(String sql) {
    for (int i = 0; i < 3; i++) {
      transaction.query(Statement.of(sql)).subscribe();
    }
    assertThat(sent).as("the first begins the transaction").hasSize(1);
    sent.get(0).finish();
    return sent.size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT 1", "\n ((select 1))", "WITH a AS (SELECT 1) SELECT * FROM a", "FROM t"})
  void queriesThatReadAreSentWithoutWaitingForEachOther(String sql) {
    assertThat(sentAfterTheFirst(sql)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"INSERT INTO t (a) VALUES (1) THEN RETURN a", "/* c */ SELECT 1", "selected"})
  void aQueryThatMayBeDmlWaitsForTheOneBeforeIt(String sql) {
    assertThat(sentAfterTheFirst(sql)).isEqualTo(2);
    sent.get(1).finish();
    assertThat(sent).hasSize(3);
  }

  /** Under contention the refusal that the client lost is nearly always an abort. */
  @Test
  void aRefusalThatTheClientLostCountsAsAnAbort() {
    SpannerException lost = RowsByHand.lostRefusal();
    StepVerifier.create(transaction.readRow("t", Key.of(1), List.of("a")))
        .then(() -> sent.get(0).fail(lost))
        .verifyErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(AbortedException.class)
                    .hasCause(lost)
                    .isSameAs(transaction.aborted()));
  }

  @Test
  void theFirstAbortIsTheTransactions() {
    AbortedException first = ScriptedClient.abort(0);
    AbortedException second = ScriptedClient.abort(0);
    assertThat(transaction.aborted()).isNull();
    for (AbortedException abort : List.of(first, second)) {
      StepVerifier.create(transaction.readRow("t", Key.of(1), List.of("a")))
          .then(() -> sent.get(sent.size() - 1).fail(abort))
          .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(abort));
    }
    assertThat(transaction.aborted()).isSameAs(first);
  }

  /** A number taken then would not be written by the commit. */
  @Test
  void givesNoNumberAfterTheCountersAreWritten() {
    TransactionCounter.Key key = new TransactionCounter.Key("t", "s");
    Supplier<TransactionCounter> initial =
        () ->
            new TransactionCounter(
                new SequenceTable("t", "name", "next_value", 64), "s", transaction, Mono.just(7L));
    TransactionCounter counter = transaction.counter(key, initial);
    assertThat(counter.take(1).block()).containsExactly(7L);
    transaction.writeCounters();
    assertThat(sent).as("one mutation").hasSize(1);
    assertThatThrownBy(() -> counter.take(1).block())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("about to commit");
    assertThatThrownBy(() -> transaction.counter(key, initial))
        .isInstanceOf(IllegalStateException.class);
  }
}
