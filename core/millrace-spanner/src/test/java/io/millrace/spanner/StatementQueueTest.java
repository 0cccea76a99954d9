package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When each statement is sent, and what a statement receives that is not sent. */
class StatementQueueTest {

  /** A statement that the test answers. */
  private static class Statement implements ClientRequest {

    boolean wanted = true;
    @Nullable AnswerListener answer;
    @Nullable Throwable refusal;

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public void send(AnswerListener whenAnswered) {
      answer = whenAnswered;
    }

    @Override
    public void refuse(Throwable reason) {
      refusal = reason;
    }

    boolean isSent() {
      return answer != null;
    }

    void answered(@Nullable Throwable failure) {
      AnswerListener told = answer;
      assertThat(told).as("sent").isNotNull();
      if (told != null) {
        told.arrived(failure);
      }
    }
  }

  private final StatementQueue statements = new StatementQueue(false);

  private Statement read() {
    Statement statement = new Statement();
    statements.read(statement);
    return statement;
  }

  private Statement write() {
    Statement statement = new Statement();
    statements.write(statement);
    return statement;
  }

  @Test
  void othersWaitForTheFirstAndDmlForTheDmlBefore() {
    Statement first = read();
    Statement read = read();
    Statement write = write();
    Statement next = write();
    assertThat(first.isSent()).isTrue();
    assertThat(List.of(read, write, next)).noneMatch(Statement::isSent);
    first.answered(null);
    assertThat(List.of(read, write)).allMatch(Statement::isSent);
    assertThat(next.isSent()).isFalse();
    write.answered(null);
    write.answered(null);
    assertThat(next.isSent()).isTrue();
  }

  @Test
  void aStatementThatNobodyWantsTakesNoTurn() {
    Statement unwanted = new Statement();
    unwanted.wanted = false;
    statements.write(unwanted);
    assertThat(unwanted.isSent()).isFalse();
    assertThat(statements.end()).as("nothing was begun").isDone();
  }

  @Test
  void theEndRefusesThoseThatWaitAndThoseThatComeLater() {
    Statement first = read();
    Statement waiting = read();
    Statement write = write();
    CompletableFuture<Void> settled = statements.end();
    assertThat(waiting.refusal).isInstanceOf(IllegalStateException.class);
    assertThat(write.refusal).isInstanceOf(IllegalStateException.class);
    assertThat(read().refusal).isInstanceOf(IllegalStateException.class);
    assertThat(settled).as("the first may yet begin the transaction").isNotDone();
    first.answered(null);
    assertThat(settled).isDone();
    assertThat(statements.end()).isDone();
    assertThat(List.of(waiting, write)).noneMatch(Statement::isSent);
  }

  @Test
  void afterACancelStatementsAreRefusedLaterAsTheirOwnCancelMayBeOnItsWay() {
    List<Runnable> later = new ArrayList<>();
    read();
    Statement waiting = read();
    statements.end(later::add);
    Statement late = read();
    assertThat(List.of(waiting, late)).allMatch(each -> each.refusal == null);
    later.forEach(Runnable::run);
    assertThat(List.of(waiting, late)).noneMatch(each -> each.refusal == null);
  }

  @Test
  void theAnswerToAReadLetsNoDmlPassTheDmlUnderWay() {
    read().answered(null);
    Statement read = read();
    Statement write = write();
    Statement next = write();
    read.answered(null);
    assertThat(next.isSent()).isFalse();
    write.answered(new IllegalStateException("refused"));
    assertThat(next.isSent()).as("an answer is an answer").isTrue();
  }

  @Test
  void aStatementThatIsCancelledWhileItWaitsIsPassedOver() {
    Statement first = read();
    Statement cancelled = write();
    Statement next = write();
    cancelled.wanted = false;
    first.answered(null);
    assertThat(cancelled.isSent()).isFalse();
    assertThat(next.isSent()).isTrue();
  }

  @Test
  void whereASeparateRequestBeginsAllStatementsWaitForItsAnswer() {
    StatementQueue explicit = new StatementQueue(true);
    Statement read = new Statement();
    Statement write = new Statement();
    explicit.read(read);
    explicit.write(write);
    assertThat(List.of(read, write)).noneMatch(Statement::isSent);
    CompletableFuture<Void> begun = explicit.begun();
    assertThat(begun).isNotDone();
    explicit.beginAnswered();
    assertThat(List.of(read, write)).allMatch(Statement::isSent);
    assertThat(begun).isCompleted();
    assertThat(explicit.isFailed()).isFalse();
    assertThat(explicit.end()).isDone();
  }

  @Test
  void theEndOfATransactionWhoseBeginIsUnderWayWaitsForItsAnswer() {
    StatementQueue explicit = new StatementQueue(true);
    CompletableFuture<Void> settled = explicit.end();
    assertThat(explicit.isClosed()).isTrue();
    assertThat(settled).isNotDone();
    explicit.beginAnswered();
    assertThat(settled).isDone();
  }

  /** After an abort the server has a transaction, and the retry follows from it. */
  @Test
  void aFirstStatementThatFailsLeavesNoTransactionUnlessItIsAborted() {
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
    assertThat(queue.isFailed()).isFalse();
    Statement first = new Statement();
    queue.read(first);
    first.answered(failure);
    Statement next = new Statement();
    queue.read(next);
    assertThat(next.isSent()).isTrue();
    return queue.isFailed();
  }

  @Test
  void onlyTheFirstAnswerToTheFirstStatementCounts() {
    Statement first = read();
    first.answered(null);
    first.answered(new IllegalStateException("late"));
    assertThat(statements.isFailed()).isFalse();
  }

  @Test
  void statementsThatAreAnsweredAsTheyAreSentNeedNoStack() {
    Statement first = read();
    List<Statement> all = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      Statement statement =
          new Statement() {
            @Override
            public void send(AnswerListener whenAnswered) {
              super.send(whenAnswered);
              whenAnswered.arrived(null);
            }
          };
      all.add(statement);
      statements.write(statement);
    }
    first.answered(null);
    assertThat(all).allMatch(Statement::isSent);
  }
}
