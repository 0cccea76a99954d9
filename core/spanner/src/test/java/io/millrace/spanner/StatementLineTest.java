package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which statement is sent when, and what those learn that are not. */
class StatementLineTest {

  /** A statement that is answered by hand. */
  private static class Statement implements ClientRequest {

    boolean wanted = true;
    @Nullable FirstAnswer answer;
    @Nullable Throwable refusal;

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public void send(FirstAnswer whenAnswered) {
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
      FirstAnswer told = answer;
      assertThat(told).as("sent").isNotNull();
      if (told != null) {
        told.arrived(failure);
      }
    }
  }

  private final StatementLine line = new StatementLine(false);

  private Statement read() {
    Statement statement = new Statement();
    line.read(statement);
    return statement;
  }

  private Statement write() {
    Statement statement = new Statement();
    line.write(statement);
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
    line.write(unwanted);
    assertThat(unwanted.isSent()).isFalse();
    assertThat(line.end()).as("nothing was begun").isDone();
  }

  @Test
  void theEndRefusesThoseThatWaitAndThoseThatComeLater() {
    Statement first = read();
    Statement waiting = read();
    Statement write = write();
    CompletableFuture<Void> settled = line.end();
    assertThat(waiting.refusal).isInstanceOf(IllegalStateException.class);
    assertThat(write.refusal).isInstanceOf(IllegalStateException.class);
    assertThat(read().refusal).isInstanceOf(IllegalStateException.class);
    assertThat(settled).as("the first may yet begin the transaction").isNotDone();
    first.answered(null);
    assertThat(settled).isDone();
    assertThat(line.end()).isDone();
    assertThat(waiting.isSent()).isFalse();
  }

  @Test
  void aFirstStatementWhoseSendingThrowsIsAnswered() {
    line.write(
        new Statement() {
          @Override
          public void send(FirstAnswer whenAnswered) {
            throw new StackOverflowError("thrown by the test");
          }
        });
    assertThat(line.isFailed()).isTrue();
    assertThat(write().isSent()).isTrue();
    assertThat(line.end()).isDone();
  }

  @Test
  void statementsThatAreAnsweredAsTheyAreSentNeedNoStack() {
    Statement first = read();
    List<Statement> all = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      Statement statement =
          new Statement() {
            @Override
            public void send(FirstAnswer whenAnswered) {
              super.send(whenAnswered);
              whenAnswered.arrived(null);
            }
          };
      all.add(statement);
      line.write(statement);
    }
    first.answered(null);
    assertThat(all).allMatch(Statement::isSent);
  }
}
