package io.millrace.insert;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.InlineScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The operator that inserts rows: rows, answers, demand and cancel at once. */
public class InsertStress {

  private InsertStress() {}

  /** A stream of rows, of which two are a group. */
  private static final class Rows {

    private final HandWriter writer = new HandWriter();
    private final List<Integer> emitted = new ArrayList<>();
    private final AtomicInteger discarded = new AtomicInteger();
    private int completions;
    private CoreSubscriber<? super Integer> source = new BaseSubscriber<>() {};
    private final BaseSubscriber<Integer> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {}

          @Override
          protected void hookOnNext(Integer row) {
            emitted.add(row);
          }

          @Override
          protected void hookOnComplete() {
            completions++;
          }
        };

    Rows(long request) {
      new Flux<Integer>() {
        @Override
        public void subscribe(CoreSubscriber<? super Integer> actual) {
          source = actual;
          actual.onSubscribe(Operators.emptySubscription());
        }
      }.transform(
              new TestInserts(writer)
                  .groupSize(2)
                  .concurrency(2)
                  .scheduler(new InlineScheduler())
                  .rows())
          .doOnDiscard(Integer.class, row -> discarded.incrementAndGet())
          .subscribe(subscriber);
      if (request > 0) {
        subscriber.request(request);
      }
    }

    Rows emit(int count) {
      for (int row = 1; row <= count; row++) {
        source.onNext(row);
      }
      return this;
    }

    void commit(int group) {
      writer.write(group).commit();
    }

    /** Each row is emitted or discarded once. */
    int accountedFor() {
      return emitted.size() + discarded.get();
    }
  }

  /** Rows come with a cancel. */
  @JCStressTest
  @Outcome(id = "2, 0", expect = ACCEPTABLE)
  @State
  public static class RowsAgainstCancel {

    private final Rows rows = new Rows(2);

    @Actor
    public void emit() {
      rows.emit(2);
    }

    @Actor
    public void cancel() {
      rows.subscriber.cancel();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = rows.accountedFor();
      result.r2 = rows.completions;
    }
  }

  /** The writer commits with a cancel. */
  @JCStressTest
  @Outcome(id = "2, 0", expect = ACCEPTABLE)
  @State
  public static class CommitAgainstCancel {

    private final Rows rows = new Rows(2).emit(2);

    @Actor
    public void commit() {
      rows.commit(0);
    }

    @Actor
    public void cancel() {
      rows.subscriber.cancel();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = rows.accountedFor();
      result.r2 = rows.completions;
    }
  }

  /** The writer commits with the demand for its rows and the end of the source. */
  @JCStressTest
  @Outcome(id = "2, 1", expect = ACCEPTABLE)
  @State
  public static class CommitAgainstRequestAndEnd {

    private final Rows rows = new Rows(0).emit(2);

    @Actor
    public void commit() {
      rows.commit(0);
    }

    @Actor
    public void request() {
      rows.subscriber.request(2);
      rows.source.onComplete();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = rows.emitted.size();
      result.r2 = rows.completions;
    }
  }

  /** Two groups are committed on two threads. */
  @JCStressTest
  @Outcome(id = "4, 0", expect = ACCEPTABLE)
  @State
  public static class CommitAgainstCommit {

    private final Rows rows = new Rows(4).emit(4);

    @Actor
    public void commitFirst() {
      rows.commit(0);
    }

    @Actor
    public void commitSecond() {
      rows.commit(1);
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = rows.emitted.size();
      result.r2 = rows.completions;
      rows.subscriber.cancel(); // leaves no timer
    }
  }
}
