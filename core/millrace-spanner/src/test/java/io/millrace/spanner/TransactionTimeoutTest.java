package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.SettableApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.TransactionContext;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The transaction of a group whose time runs out at each step, in virtual time. */
class TransactionTimeoutTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final ScriptedClient script = new ScriptedClient();
  private static final Mutation UPSERT =
      Mutation.newInsertOrUpdateBuilder("things").set("id").to(1).build();

  private final List<GroupFailedException> failures = new ArrayList<>();
  private Mono<Void> body = Mono.empty();

  /** Writes a group of one upsert, which cannot be looked up if it has a number. */
  private void write(boolean numbered) {
    SpannerGroups<Integer> groups =
        new SpannerGroups<>(
            script.client(),
            SpannerTransactionOptions.defaults(),
            row -> new PreparedMutations<>(row, List.of(UPSERT), 0, 0),
            new GroupBody<>() {
              @Override
              public Mono<List<PreparedMutations<Integer>>> write(
                  SpannerTransaction transaction, List<PreparedMutations<Integer>> group) {
                return body.thenReturn(group);
              }

              @Override
              public boolean isRepeatable() {
                return !numbered;
              }
            },
            new WrittenRows(script.client()),
            true,
            new TimeLimit(LIMIT, time));
    groups
        .commit(List.of(groups.prepare(1)))
        .subscribe(rows -> {}, failure -> failures.add((GroupFailedException) failure));
  }

  private void runOut() {
    time.advanceTimeBy(LIMIT);
  }

  private void assertFailed(Kind kind) {
    assertThat(failures).singleElement().extracting(GroupFailedException::kind).isEqualTo(kind);
    assertThat(failures.get(0).reason())
        .isInstanceOf(InsertTimeoutException.class)
        .hasMessageContaining("transactionTimeout of PT30S");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesATransactionThatBeginsTooLate(boolean numbered) {
    SettableApiFuture<TransactionContext> begin = SettableApiFuture.create();
    script.beginning = begin;
    write(numbered);
    time.advanceTimeBy(LIMIT.minusMillis(1));
    assertThat(failures).isEmpty();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertFailed(Kind.TRANSIENT);
    assertThat(script.closed).isZero();

    begin.setException(new IllegalStateException("on purpose"));
    assertThat(script.closed).isOne();
    assertThat(script.commits).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesATransactionThatIsTooSlowForItsCommit(boolean numbered) {
    body = Mono.never();
    script.closing = SettableApiFuture.create(); // nor is the rollback answered
    write(numbered);
    runOut();
    assertFailed(Kind.TRANSIENT);
    assertThat(script.closed).isOne();
    assertThat(script.commits).isZero();
  }

  @ParameterizedTest
  @CsvSource({"false, IN_DOUBT", "true, UNKNOWN"})
  void givesTheSessionBackWhenALateCommitIsAnswered(boolean numbered, Kind kind) {
    SettableApiFuture<Timestamp> commit = SettableApiFuture.create();
    script.committing = commit;
    write(numbered);
    runOut();
    assertFailed(kind);
    assertThat(script.closed).isZero();

    commit.set(Timestamp.now());
    assertThat(script.closed).isOne();
    assertThat(failures).hasSize(1);
  }

  @Test
  void aCommitWhoseTimeRunsOutWhileItIsSentIsInDoubt() {
    script.atCommit = this::runOut;
    write(false);
    assertFailed(Kind.IN_DOUBT);
    assertThat(script.commits).isOne();
    assertThat(script.closed).isOne();
  }

  @Test
  void aCommitWhoseTimeRunsOutWhileItsAnswerArrivesIsInDoubt() {
    script.atClose = this::runOut;
    write(false);
    assertFailed(Kind.IN_DOUBT);
    assertThat(script.closed).isOne();
  }

  /** The first statement failed, so Spanner aborts the commit, and the client begins again. */
  @Test
  void aTransactionThatIsBegunAgainHasItsTimeAgain() {
    script.failCommitWith(ScriptedClient.abort(0));
    SettableApiFuture<TransactionContext> begin = SettableApiFuture.create();
    script.atCommit = () -> script.beginning = begin;
    SpannerTransactions.committed(
            script.client(),
            SpannerTransactionOptions.defaults(),
            new TimeLimit(LIMIT, time),
            tx ->
                tx.executeUpdate(Statement.of("DELETE"))
                    .onErrorResume(refused -> Mono.empty())
                    .thenReturn(1))
        .subscribe(
            done -> {}, failure -> failures.add(new GroupFailedException(Kind.TRANSIENT, failure)));
    assertThat(script.begunAgain).isOne();
    time.advanceTimeBy(LIMIT.minusMillis(1));
    assertThat(failures).isEmpty();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertFailed(Kind.TRANSIENT);
    assertThat(script.closed).isZero();

    begin.setException(new IllegalStateException("on purpose"));
    assertThat(script.closed).isOne();
    assertThat(script.commits).isOne();
  }
}
