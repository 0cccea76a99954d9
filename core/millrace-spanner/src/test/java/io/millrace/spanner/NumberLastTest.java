package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import io.millrace.TransactionalSequence;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Numbers that are taken after the work. No turn ends by its time limit here. */
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS",
    matches = "(?i)false")
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
    matches = "(?i)false")
class NumberLastTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Statement QUERY = Statement.of("SELECT 1");

  private final MockedSpanner server = new MockedSpanner();
  private final TransactionalSequence<SpannerTransaction> sequence = sequence();

  private static TransactionalSequence<SpannerTransaction> sequence() {
    SequenceTable table = new SequenceTable("sequences", "name", "next_value", 64);
    return new SpannerTransactionalSequence(
        table,
        new SequenceFailures(table, Mono.just(Dialect.GOOGLE_STANDARD_SQL)),
        new CounterQueues(Duration.ofHours(1)),
        "invoices");
  }

  @BeforeEach
  void warmUp() {
    server.answers(QUERY, 1);
    server.hasRow("sequences", "next_value", 1);
    SpannerTransactions.readWrite(server.client(), tx -> tx.query(QUERY).then()).block(LIMIT);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /**
   * A has read a row, and B's statement waits for that lock. A takes its number while B has its
   * turn. Spanner would not see this deadlock if A waited.
   */
  @Test
  void takesANumberLastWithoutWaitingForATurnThatNeedsItsLock() {
    Sinks.Empty<Void> hasLock = Sinks.empty();
    Sinks.Empty<Void> hasTurn = Sinks.empty();
    Sinks.Empty<Void> lockFree = Sinks.empty();
    Mono<Long> a =
        SpannerTransactions.readWrite(
                server.client(),
                tx ->
                    tx.query(QUERY)
                        .then(Mono.fromRunnable(hasLock::tryEmitEmpty))
                        .then(hasTurn.asMono())
                        .then(sequence.next(tx)))
            .doOnSuccess(number -> lockFree.tryEmitEmpty());
    Mono<Long> b =
        SpannerTransactions.readWrite(
            server.client(),
            tx ->
                hasLock
                    .asMono()
                    .then(sequence.next(tx))
                    .doOnNext(number -> hasTurn.tryEmitEmpty())
                    .delayUntil(number -> lockFree.asMono()));
    StepVerifier.create(Mono.zip(a, b)).expectNextCount(1).expectComplete().verify(LIMIT);
  }
}
