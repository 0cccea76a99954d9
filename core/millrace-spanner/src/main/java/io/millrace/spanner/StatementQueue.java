package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one attempt at a transaction, in the order in which they may be sent.
 *
 * <p>The first statement begins the transaction, and the client blocks the thread of any statement
 * that is sent before the transaction's id is known. So the others wait here, without a thread,
 * until the first is answered. DML is sent one at a time: each carries a number, and Spanner
 * invalidates a transaction whose numbers arrive out of order, as happens when requests overtake
 * each other.
 *
 * <p><b>Invariant.</b> A statement leaves its queue and becomes the first one, or the one DML under
 * way, in a single step. The thread that took it out sends it. A cancel cannot come in between: a
 * statement that was taken out is sent or fails, and in both cases this class is notified of its
 * answer. After {@link #end} no statement is taken out.
 */
final class StatementQueue {

  private enum Begin {
    /** No statement was sent. */
    IDLE,
    /** The request that begins the transaction is not answered yet. */
    PENDING,
    /** The transaction was begun, or is aborted. */
    BEGUN,
    /** The first statement failed, and no transaction was begun. */
    FAILED
  }

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Queue<ClientRequest> reads = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Queue<ClientRequest> writes = new ArrayDeque<>();

  @GuardedBy("lock")
  private Begin begin;

  /** Whether a DML statement is not answered yet. */
  @GuardedBy("lock")
  private boolean writing;

  /** Whether a thread is sending. It checks the queues again after it has sent. */
  @GuardedBy("lock")
  private boolean sending;

  /** Set once, when the attempt commits, rolls back or is cancelled; written under the lock. */
  private volatile boolean closed;

  /** Runs what refuses statements. Written before {@link #closed}. */
  private Executor refusing = Runnable::run;

  /** Completes when the request that begins the transaction is answered. */
  private final CompletableFuture<Void> begun = new CompletableFuture<>();

  /**
   * @param explicit whether a separate request begins the transaction; {@link #beginAnswered} is
   *     then called for its answer
   */
  StatementQueue(boolean explicit) {
    begin = explicit ? Begin.PENDING : Begin.IDLE;
  }

  /**
   * Sends a statement that changes nothing: as the one that begins the transaction, or once it is
   * begun.
   */
  void read(ClientRequest statement) {
    add(statement, false);
  }

  /** As {@link #read}, but DML also waits until the DML before it is answered. */
  void write(ClientRequest statement) {
    add(statement, true);
  }

  private void add(ClientRequest statement, boolean write) {
    boolean late;
    synchronized (lock) {
      late = closed;
      if (!late) {
        (write ? writes : reads).add(statement);
      }
    }
    if (late) {
      refusing.execute(() -> statement.refuse(tooLate()));
    } else {
      sendNext();
    }
  }

  static IllegalStateException tooLate() {
    return new IllegalStateException(
        "the transaction is over; each attempt has a new SpannerTransaction");
  }

  /**
   * Sends the statements that are due. One thread at a time sends, in a loop, because an answer may
   * come while a request is being sent.
   */
  private void sendNext() {
    while (true) {
      Turn turn;
      synchronized (lock) {
        turn = sending ? null : takeNext();
        if (turn == null) {
          return;
        }
        sending = true;
      }
      turn.send();
      synchronized (lock) {
        sending = false;
      }
    }
  }

  @GuardedBy("lock")
  private @Nullable Turn takeNext() {
    if (begin == Begin.PENDING) {
      return null;
    }
    boolean write = false;
    ClientRequest statement = pollWanted(reads);
    if (statement == null && !writing) {
      statement = pollWanted(writes);
      write = statement != null;
    }
    if (statement == null) {
      return null;
    }
    boolean first = begin == Begin.IDLE;
    if (first) {
      begin = Begin.PENDING;
    }
    writing |= write;
    return new Turn(statement, first, write);
  }

  private static @Nullable ClientRequest pollWanted(Queue<ClientRequest> queue) {
    ClientRequest next = queue.poll();
    while (next != null && !next.isWanted()) {
      next = queue.poll();
    }
    return next;
  }

  /** Called when the explicit request that begins the transaction is answered. */
  void beginAnswered() {
    answered(true, false, null);
  }

  private void answered(boolean first, boolean write, @Nullable Throwable failure) {
    synchronized (lock) {
      if (write) {
        writing = false;
      }
      if (first) {
        begin = leavesNoTransaction(failure) ? Begin.FAILED : Begin.BEGUN;
      }
    }
    if (first) {
      begun.complete(null);
    }
    sendNext();
  }

  private static boolean leavesNoTransaction(@Nullable Throwable failure) {
    return failure != null
        && !(failure instanceof AbortedException)
        && !(failure instanceof LostAnswerException);
  }

  /** Completes when the transaction is begun by one of its statements, or that one has failed. */
  CompletableFuture<Void> begun() {
    return begun;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether the first statement failed, so that no transaction was begun. */
  boolean isFailed() {
    synchronized (lock) {
      return begin == Begin.FAILED;
    }
  }

  /**
   * Sends no statement from now on, and refuses those that wait. May be called several times.
   *
   * @return completes when no request is under way that may still begin the transaction; until then
   *     its session must not be given back
   */
  CompletableFuture<Void> end() {
    return end(Runnable::run);
  }

  /**
   * The same, with a choice where statements are refused.
   *
   * @param executor runs the tasks that do it, at once or later
   */
  CompletableFuture<Void> end(Executor executor) {
    List<ClientRequest> refused = new ArrayList<>();
    boolean pending;
    synchronized (lock) {
      if (!closed) {
        refusing = executor;
      }
      closed = true;
      refused.addAll(reads);
      refused.addAll(writes);
      reads.clear();
      writes.clear();
      pending = begin == Begin.PENDING;
    }
    if (!refused.isEmpty()) {
      executor.execute(() -> refused.forEach(statement -> statement.refuse(tooLate())));
    }
    return pending ? begun : CompletableFuture.completedFuture(null);
  }

  /** A statement whose turn it is, until its first answer. */
  private final class Turn implements AnswerListener {

    private final ClientRequest statement;
    private final boolean first;
    private final boolean write;
    private final AtomicBoolean answered = new AtomicBoolean();

    Turn(ClientRequest statement, boolean first, boolean write) {
      this.statement = statement;
      this.first = first;
      this.write = write;
    }

    void send() {
      statement.send(this);
    }

    @Override
    public void arrived(@Nullable Throwable failure) {
      if ((first || write) && answered.compareAndSet(false, true)) {
        answered(first, write, failure);
      }
    }

    /** True: the transaction fails with it, or is rolled back anyway. */
    @Override
    public boolean handlesLateFailure() {
      return true;
    }
  }
}
