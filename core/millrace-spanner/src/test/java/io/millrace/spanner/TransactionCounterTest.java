package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Value;
import io.millrace.SkippedValues;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class TransactionCounterTest {

  private final SequenceTable table = new SequenceTable("sequences", "name", "next_value", 64);
  private final Sinks.One<Long> row = Sinks.one();
  private final List<Long> given = new ArrayList<>();
  private final List<Throwable> refused = new ArrayList<>();

  @Test
  void noTakerIsGivenAValueThatTheCommitCannotCoverAnyMore() {
    SpannerTransaction committing =
        transaction(
            method -> {
              throw new IllegalStateException("too late for " + method);
            });
    TransactionCounter counter = new TransactionCounter(table, "s", committing, row.asMono());
    for (int taker = 0; taker < 3; taker++) {
      counter.take(1, SkippedValues.NONE).subscribe(given::addAll, refused::add);
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
  void oneWriteIsScheduledForAllValuesTakenBeforeIt() {
    List<String> scheduled = new ArrayList<>();
    TransactionCounter counter =
        new TransactionCounter(table, "s", transaction(scheduled::add), row.asMono());
    for (int taker = 0; taker < 3; taker++) {
      counter.take(2, SkippedValues.NONE).subscribe(given::addAll, refused::add);
    }
    row.tryEmitValue(7L);
    assertThat(given).containsExactly(7L, 8L, 9L, 10L, 11L, 12L);
    assertThat(scheduled).containsExactly("beforeCommit");
  }

  /** Hooks of the application may take values after the first write. */
  @Test
  @SuppressWarnings("unchecked")
  void aLaterWriteCoversTheLaterValues() {
    List<Supplier<Mono<Void>>> hooks = new ArrayList<>();
    List<Mutation> buffered = new ArrayList<>();
    SpannerTransaction recording =
        ScriptedClient.proxy(
            SpannerTransaction.class,
            (proxy, method, arguments) -> {
              if (method.getName().equals("beforeCommit")) {
                hooks.add((Supplier<Mono<Void>>) arguments[0]);
              } else {
                buffered.add((Mutation) arguments[0]);
              }
              return null;
            });
    TransactionCounter counter = new TransactionCounter(table, "s", recording, Mono.just(7L));
    for (int write = 0; write < 2; write++) {
      counter.take(2, SkippedValues.NONE).subscribe(given::addAll, refused::add);
      hooks.get(write).get().block();
    }
    assertThat(given).containsExactly(7L, 8L, 9L, 10L);
    assertThat(buffered)
        .extracting(update -> update.asMap().get("next_value"))
        .containsExactly(Value.int64(9), Value.int64(11));
  }

  /** A transaction that records the calls to it. */
  private static SpannerTransaction transaction(Consumer<String> called) {
    return (SpannerTransaction)
        Proxy.newProxyInstance(
            SpannerTransaction.class.getClassLoader(),
            new Class<?>[] {SpannerTransaction.class},
            (proxy, method, arguments) -> {
              called.accept(method.getName());
              return null;
            });
  }
}
