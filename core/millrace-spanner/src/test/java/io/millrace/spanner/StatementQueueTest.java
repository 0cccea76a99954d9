package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.SettableApiFuture;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

/** When each statement is sent, and what a statement receives that is not sent. */
class StatementQueueTest {

  private final StatementQueue statements = new StatementQueue(false);
  private VirtualTimeScheduler time;

  @BeforeEach
  void stopTime() {
    time = VirtualTimeScheduler.getOrSet();
  }

  @AfterEach
  void resetTime() {
    VirtualTimeScheduler.reset();
  }

  /** A statement that the test answers, and its subscriber. */
  private static class Statement {

    final SettableApiFuture<String> answer = SettableApiFuture.create();
    final Disposable subscription;
    boolean sent;
    @Nullable Throwable error;

    Statement(StatementQueue queue, boolean write) {
      ClientRequest<String> request =
          ClientRequest.of(
              () -> {
                sent = true;
                return answer;
              });
      Flux<String> statement = write ? queue.write(request) : queue.read(request);
      subscription = statement.subscribe(value -> {}, failure -> error = failure);
    }

    boolean isSent() {
      return sent;
    }

    void answered(@Nullable Throwable failure) {
      assertThat(sent).isTrue();
      if (failure == null) {
        answer.set("answer");
      } else {
        answer.setException(failure);
      }
    }
  }

  private Statement read() {
    return new Statement(statements, false);
  }

  private Statement write() {
    return new Statement(statements, true);
  }

  @Test
  void sendsOthersAfterTheFirstAndDmlAfterTheDmlBefore() {
    Statement first = read();
    Statement read = read();
    Statement write = write();
    Statement next = write();
    assertThat(first.isSent()).isTrue();
    assertThat(List.of(read, write, next)).noneMatch(Statement::isSent);
    first.answered(null);
    assertThat(List.of(read, write)).allMatch(Statement::isSent);
    assertThat(next.isSent()).isFalse();
    read.answered(null);
    assertThat(next.isSent()).as("a read lets no DML pass the DML under way").isFalse();
    write.answered(new IllegalStateException("refused"));
    assertThat(next.isSent()).as("an answer is an answer").isTrue();
  }

  @Test
  void sendsDmlAfterDmlThatBeganTheTransaction() {
    Statement first = write();
    Statement next = write();
    Statement last = write();
    first.answered(null);
    assertThat(next.isSent()).isTrue();
    assertThat(last.isSent()).isFalse();
    next.answered(null);
    assertThat(last.isSent()).isTrue();
  }

  @Test
  void givesNoTurnToAStatementThatIsCancelledAsItIsSubscribedTo() {
    ClientRequest<String> unwanted = (sink, answered) -> assertThat(sink).as("not sent").isNull();
    statements
        .write(unwanted)
        .subscribe(
            new BaseSubscriber<String>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                cancel();
              }
            });
    assertThat(read().isSent()).isTrue();
  }

  @Test
  void passesOverAStatementThatIsCancelledWhileItWaits() {
    Statement first = read();
    Statement cancelled = write();
    Statement next = write();
    cancelled.subscription.dispose();
    first.answered(null);
    assertThat(cancelled.isSent()).isFalse();
    assertThat(next.isSent()).isTrue();
  }

  @Test
  void refusesAtTheEndThoseThatWaitAndThoseThatComeLater() {
    Statement first = read();
    Statement waiting = read();
    Statement write = write();
    CompletableFuture<?> settled = statements.end();
    Statement late = read();
    assertThat(settled).as("the first may yet begin the transaction").isNotDone();
    first.answered(null);
    assertThat(settled).isDone();
    assertThat(List.of(waiting, write, late))
        .as("their own cancel may be on its way")
        .allMatch(each -> each.error == null);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(List.of(waiting, write, late))
        .noneMatch(Statement::isSent)
        .allMatch(each -> each.error instanceof IllegalStateException);
  }

  @Test
  void refusesAStatementAfterTheEndOfATransactionThatWasNeverBegun() {
    assertThat(statements.end()).isDone();
    assertThat(statements.isClosed()).isTrue();
    assertThat(statements.isFailed()).isFalse();
    Statement late = write();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(late.isSent()).isFalse();
    assertThat(late.error).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void waitsForTheRequestThatBeginsTheTransactionIfThereIsOne() {
    StatementQueue explicit = new StatementQueue(true);
    Statement read = new Statement(explicit, false);
    Statement write = new Statement(explicit, true);
    assertThat(List.of(read, write)).noneMatch(Statement::isSent);
    explicit.beginAnswered();
    assertThat(List.of(read, write)).allMatch(Statement::isSent);
    assertThat(explicit.isFailed()).isFalse();
  }

  @Test
  void endsAfterTheAnswerToTheRequestThatBeginsTheTransaction() {
    StatementQueue explicit = new StatementQueue(true);
    CompletableFuture<?> settled = explicit.end();
    assertThat(settled).isNotDone();
    explicit.beginAnswered();
    assertThat(settled).isDone();
  }

  /** After an abort the server has a transaction, and the retry follows from it. */
  @Test
  void hasNoTransactionAfterAFirstStatementThatFailsUnlessItIsAborted() {
    SpannerException refused =
        SpannerExceptionFactory.newSpannerException(ErrorCode.INVALID_ARGUMENT, "no such column");
    assertThat(isFailedAfterFirst(refused)).isTrue();
    assertThat(isFailedAfterFirst(ScriptedClient.abort(0))).isFalse();
    assertThat(isFailedAfterFirst(new LostAnswerException(RowsByHand.lostRefusal())))
        .as("nearly always an abort")
        .isFalse();
    assertThat(isFailedAfterFirst(null)).isFalse();
  }

  private static boolean isFailedAfterFirst(@Nullable Throwable failure) {
    StatementQueue queue = new StatementQueue(false);
    Statement first = new Statement(queue, false);
    assertThat(queue.isFailed()).isFalse();
    first.answered(failure);
    assertThat(new Statement(queue, false).isSent()).isTrue();
    return queue.isFailed();
  }

  @Test
  void needsNoStackForStatementsThatAreAnsweredAsTheyAreSent() {
    Statement first = read();
    AtomicInteger sent = new AtomicInteger();
    Flux<String> write =
        statements.write(
            (sink, answered) -> {
              sent.incrementAndGet();
              answered.complete(null);
              sink.complete();
            });
    for (int i = 0; i < 100_000; i++) {
      write.subscribe();
    }
    first.answered(null);
    assertThat(sent).hasValue(100_000);
  }
}
