package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** What a pipeline does with signals that come late, too often, or from code that throws. */
class InsertSignalsTest {

  private final IllegalStateException broken = new IllegalStateException("broken");

  private final HandWriter writer = new HandWriter();
  private final TestInserts inserts =
      new TestInserts(writer).groupSize(3).concurrency(2).maxDelay(Duration.ofHours(1));
  private final List<Object> droppedRows = new ArrayList<>();
  private final List<Throwable> droppedErrors = new ArrayList<>();
  private final List<Object> discarded = new ArrayList<>();
  private final List<Object> rows = new ArrayList<>();
  private Consumer<Object> discards = row -> {};
  private final List<Throwable> errors = new ArrayList<>();

  /** A source whose signals the test sends. It takes no notice of a cancel. */
  private static final class RudeSource extends Flux<Integer> {
    private CoreSubscriber<? super Integer> subscriber = new BaseSubscriber<>() {};

    @Override
    public void subscribe(CoreSubscriber<? super Integer> actual) {
      subscriber = actual;
      actual.onSubscribe(Operators.emptySubscription());
    }

    void next(int first, int last) {
      for (int row = first; row <= last; row++) {
        subscriber.onNext(row);
      }
    }
  }

  private final RudeSource source = new RudeSource();

  private <R> Disposable run(Flux<Integer> from, Function<Flux<Integer>, Flux<R>> operator) {
    return from.transform(operator)
        .contextWrite(
            context ->
                Operators.enableOnDiscard(
                    context
                        .put("reactor.onNextDropped.local", (Consumer<Object>) droppedRows::add)
                        .put("reactor.onErrorDropped.local", errorHandler()),
                    row -> {
                      discarded.add(row);
                      discards.accept(row);
                    }))
        .subscribe(rows::add, errors::add);
  }

  private Consumer<Throwable> errorHandler() {
    return droppedErrors::add;
  }

  @Test
  void aRowAfterAFailureIsDiscardedAndNotWritten() {
    run(source, inserts.rows());
    source.next(1, 6);
    writer.write(0).reject(broken);
    source.next(7, 9); // the second group is still being written

    assertThat(discarded).containsExactly(7, 8, 9);
    writer.write(1).commit();
    assertThat(rows).containsExactly(4, 5, 6);
    assertThat(errors).singleElement().isInstanceOf(InsertFailedException.class);
    assertThat(writer.writes()).hasSize(2);
  }

  @Test
  void theFailureOfAGroupThatEndedBeforeACancelIsDropped() {
    BaseSubscriber<Integer> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnNext(Integer row) {
            writer.write(1).fail(broken); // noted, and the loop takes it after this row
            cancel();
          }

          @Override
          public Context currentContext() {
            return Context.of("reactor.onErrorDropped.local", errorHandler());
          }
        };
    source.transform(inserts.rows()).subscribe(subscriber);
    source.next(1, 6);
    writer.write(0).commit();

    assertThat(droppedErrors).singleElement().isInstanceOf(InsertFailedException.class);
  }

  @Test
  void aGroupThatFailsDuringTheDiscardsOfACancelDoesNotRepeatThem() {
    discards =
        row -> {
          if (row.equals(1)) {
            writer.write(1).reject(broken);
          }
        };
    Disposable running = run(source, inserts.rows());
    source.next(1, 6);
    writer.write(0).reject(broken);
    running.dispose();

    assertThat(discarded).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
  }

  @Test
  void aWriterThatSubscribesAfterTheCancelIsCancelled() {
    AtomicBoolean cancelled = new AtomicBoolean();
    List<CoreSubscriber<? super List<InsertOutcome<Integer>>>> late = new ArrayList<>();
    FunctionWriter slow =
        new FunctionWriter(
            group ->
                new Mono<>() {
                  @Override
                  public void subscribe(CoreSubscriber<? super List<InsertOutcome<Integer>>> to) {
                    late.add(to);
                  }
                });
    Disposable running = run(source, new TestInserts(slow).groupSize(1).rows());
    source.next(1, 1);
    running.dispose();
    late.get(0)
        .onSubscribe(
            new Subscription() {
              @Override
              public void request(long n) {}

              @Override
              public void cancel() {
                cancelled.set(true);
              }
            });

    assertThat(cancelled).isTrue();
  }

  @Test
  void theRowsAreUnknownIfTheirWriterReportsTooFewOutcomes() {
    run(source, inserts.outcomes());
    source.next(1, 3);
    writer.write(0).succeed(List.of(HandWriter.committed(1), HandWriter.committed(2)));

    assertThat(rows)
        .extracting(outcome -> ((Unknown<?>) outcome).reason().getMessage())
        .containsExactly(
            "the writer did not report one outcome for each of 3 rows",
            "the writer did not report one outcome for each of 3 rows",
            "the writer did not report one outcome for each of 3 rows");
  }

  @Test
  void outcomesOfTheSameRowAndReasonAreEqual() {
    Rejected<Integer> rejected = new Rejected<>(1, broken);
    assertThat(rejected)
        .isEqualTo(new Rejected<>(1, broken))
        .hasSameHashCodeAs(new Rejected<>(1, broken))
        .isNotEqualTo(new Rejected<>(2, broken))
        .isNotEqualTo(new Rejected<>(1, new IllegalStateException()))
        .isNotEqualTo(new Unknown<>(1, broken))
        .hasToString("Rejected[row=1, reason=" + broken + "]");
    assertThat(rejected.hashCode()).isNotEqualTo(new Rejected<>(2, broken).hashCode());
    Unknown<Integer> unknown = new Unknown<>(1, broken);
    assertThat(unknown)
        .isEqualTo(new Unknown<>(1, broken))
        .hasSameHashCodeAs(new Unknown<>(1, broken))
        .isNotEqualTo(new Unknown<>(2, broken))
        .isNotEqualTo(new Unknown<>(1, new IllegalStateException()))
        .isNotEqualTo(rejected)
        .hasToString("Unknown[row=1, reason=" + broken + "]");
    assertThat(unknown.hashCode()).isNotEqualTo(new Unknown<>(2, broken).hashCode());
    assertThat(new InsertOutcome.Committed<>(1, null)).hasToString("Committed[1]");
    assertThat(HandWriter.committed(1)).hasToString("Committed[1 at 1970-01-01T00:00:01Z]");
  }

  @Test
  void settingsMayBeAtTheirLimits() {
    assertThat(new TestInserts(writer).groupSize(100_000).concurrency(10_000).rows()).isNotNull();
    assertThat(inserts.retries(0, Duration.ofMillis(1), Duration.ofMillis(1))).isSameAs(inserts);
  }
}
