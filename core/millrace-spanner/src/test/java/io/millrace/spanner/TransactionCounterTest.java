package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class TransactionCounterTest {

  private final SequenceTable table = new SequenceTable("sequences", "name", "next_value", 64);
  private final Sinks.One<Long> row = Sinks.one();
  private final List<Long> given = new ArrayList<>();
  private final List<Throwable> refused = new ArrayList<>();
  private final List<Value> written = new ArrayList<>();
  private final AttemptTransaction transaction =
      new AttemptTransaction(
          ScriptedClient.proxy(
              TransactionContext.class,
              (proxy, method, arguments) -> {
                Mutation update = (Mutation) arguments[0];
                written.add(update.asMap().get("next_value"));
                return null;
              }),
          new StatementQueue(false),
          new TransactionScope());

  @Test
  void noTakerIsGivenAValueThatTheCommitCannotCoverAnyMore() {
    TransactionCounter counter = counter(row.asMono());
    transaction.runWrites();
    for (int taker = 0; taker < 3; taker++) {
      counter.take(1).subscribe(given::addAll, refused::add);
    }
    row.tryEmitValue(7L);
    assertThat(given).isEmpty();
    assertThat(refused).hasSize(3).allSatisfy(e -> assertThat(e).hasMessageContaining("too late"));
  }

  @Test
  void aReadThatFailedIsRepeatedAndOneThatSucceededIsNot() {
    AtomicInteger reads = new AtomicInteger();
    Mono<Integer> shared =
        TransactionCounter.shared(
            Mono.fromCallable(
                () -> {
                  if (reads.incrementAndGet() == 1) {
                    throw new IllegalStateException("unavailable");
                  }
                  return 7;
                }));
    StepVerifier.create(shared).verifyErrorMessage("unavailable");
    for (int i = 0; i < 3; i++) {
      StepVerifier.create(shared).expectNext(7).verifyComplete();
    }
    assertThat(reads).hasValue(2);
  }

  @Test
  void oneWriteCoversAllValuesTakenBeforeIt() {
    TransactionCounter counter = counter(row.asMono());
    for (int taker = 0; taker < 3; taker++) {
      counter.take(2).subscribe(given::addAll, refused::add);
    }
    row.tryEmitValue(7L);
    assertThat(given).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
    assertThat(written).isEmpty();
    transaction.runWrites();
    assertThat(written).containsExactly(Value.int64(13));
  }

  @Test
  void aValueThatIsTakenDuringTheWritesIsWrittenToo() {
    TransactionCounter counter = counter(Mono.just(7L));
    transaction.beforeCommit(() -> counter.take(2).subscribe(given::addAll, refused::add));
    counter.take(2).subscribe(given::addAll, refused::add);
    transaction.beforeCommit(() -> counter.take(2).subscribe(given::addAll, refused::add));
    transaction.runWrites();
    assertThat(given).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
    assertThat(written).containsExactly(Value.int64(11), Value.int64(13));
  }

  private TransactionCounter counter(Mono<Long> read) {
    return new TransactionCounter(table, "s", transaction, read);
  }
}
