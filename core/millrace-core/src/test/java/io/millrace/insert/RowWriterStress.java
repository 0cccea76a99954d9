package io.millrace.insert;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.InlineScheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import reactor.core.Disposable;

/** The writer of single rows: calls, answers, cancels and the end at once. */
public class RowWriterStress {

  private RowWriterStress() {}

  /** A writer with one transaction at a time. */
  private static final class Writes {

    private final HandWriter hand = new HandWriter();
    private final InlineScheduler clock = new InlineScheduler();
    private final RowWriter<Integer> writer;
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    /** Without timeouts no timer runs the loop. */
    Writes(int maxWaiting) {
      this(maxWaiting, Duration.ZERO);
    }

    Writes(int maxWaiting, Duration acquireTimeout) {
      writer =
          new TestInserts(hand)
              .concurrency(1)
              .maxWaiting(maxWaiting)
              .acquireTimeout(acquireTimeout)
              .scheduler(clock)
              .writer();
    }

    Disposable write(int row) {
      return writer
          .write(row)
          .subscribe(saved -> written.incrementAndGet(), error -> refused.incrementAndGet());
    }

    void commit(int group) {
      hand.write(group).commit();
    }

    /** Commits the groups from a number on, also those that the commits before let begin. */
    void commitFrom(int group) {
      for (int i = group; i < hand.writes().size(); i++) {
        commit(i);
      }
    }
  }

  /** A row comes with the answer for the transaction before it. */
  @JCStressTest
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE)
  @State
  public static class WriteAgainstAnswer {

    private final Writes writes = new Writes(10);

    /** Begins a transaction. */
    public WriteAgainstAnswer() {
      writes.write(1);
    }

    @Actor
    public void commit() {
      writes.commit(0);
    }

    @Actor
    public void write() {
      writes.write(2);
    }

    @Arbiter
    public void end(III_Result result) {
      writes.commitFrom(1);
      result.r1 = writes.hand.writes().size();
      result.r2 = writes.written.get();
      result.r3 = writes.writer.waiting();
    }
  }

  /** A row comes when the row before it has waited too long. It waits no longer than its time. */
  @JCStressTest
  @Outcome(id = "0, 2, 0", expect = ACCEPTABLE)
  @State
  public static class WriteAgainstTimeout {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Writes writes = new Writes(10, TIMEOUT);

    /** Begins a transaction without an answer, behind which a row waits. */
    public WriteAgainstTimeout() {
      writes.write(1);
      writes.write(2);
    }

    @Actor
    public void pass() {
      writes.clock.advance(TIMEOUT.toNanos());
    }

    @Actor
    public void write() {
      writes.write(3);
    }

    @Arbiter
    public void end(III_Result result) {
      writes.clock.advance(TIMEOUT.toNanos());
      result.r1 = writes.written.get();
      result.r2 = writes.refused.get();
      result.r3 = writes.writer.waiting();
    }
  }

  /** A waiting row is cancelled while the next transaction takes it. A later row is written. */
  @JCStressTest
  @Outcome(id = "2, 0, 0", expect = ACCEPTABLE)
  @State
  public static class CancelAgainstTake {

    private final Writes writes = new Writes(1);
    private final Disposable waiting;

    /** Begins a transaction, behind which a row waits. */
    public CancelAgainstTake() {
      writes.write(1);
      waiting = writes.write(2);
    }

    @Actor
    public void commit() {
      writes.commit(0);
    }

    @Actor
    public void cancel() {
      waiting.dispose();
    }

    @Arbiter
    public void end(III_Result result) {
      writes.write(3);
      writes.commitFrom(1);
      result.r1 = writes.written.get();
      result.r2 = writes.refused.get();
      result.r3 = writes.writer.waiting();
    }
  }

  /** A row comes with the end of the writer: it is written or refused, and the end comes once. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE)
  @State
  public static class WriteAgainstDispose {

    private final Writes writes = new Writes(10);

    @Actor
    public void write() {
      writes.write(1);
    }

    @Actor
    public void dispose() {
      writes.writer.disposeLater().subscribe(none -> {}, error -> {}, writes.ends::incrementAndGet);
    }

    @Arbiter
    public void end(III_Result result) {
      writes.commitFrom(0);
      result.r1 = writes.written.get() + writes.refused.get();
      result.r2 = writes.ends.get();
      result.r3 = writes.writer.waiting();
    }
  }

  /** Two rows come at once, and one may wait. */
  @JCStressTest
  @Outcome(id = "2, 1, 0", expect = ACCEPTABLE)
  @State
  public static class WritesForTheLastPlace {

    private final Writes writes = new Writes(1);

    /** Begins a transaction, so that the others wait. */
    public WritesForTheLastPlace() {
      writes.write(1);
    }

    @Actor
    public void one() {
      writes.write(2);
    }

    @Actor
    public void other() {
      writes.write(3);
    }

    @Arbiter
    public void end(III_Result result) {
      writes.commitFrom(0);
      result.r1 = writes.written.get();
      result.r2 = writes.refused.get();
      result.r3 = writes.writer.waiting();
    }
  }
}
