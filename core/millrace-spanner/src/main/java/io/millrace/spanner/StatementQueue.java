package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.scheduler.Schedulers;

/**
 * The statements of one attempt at a transaction, in the order in which they may be sent.
 *
 * <p>The first statement begins the transaction, and the client blocks the thread of any statement
 * that is sent before the transaction's id is known. So the others wait here, without a thread,
 * until the first is answered. DML is sent one at a time: each carries a number, and Spanner
 * invalidates a transaction whose numbers arrive out of order, as happens when requests overtake
 * each other.
 *
 * <p><b>Invariant.</b> Once a statement is the first one, it is sent, and its answer completes
 * {@link #begun}. Any other statement is sent, refused or, if its subscriber has cancelled, passed
 * over when it is its turn. No turn that begins after {@link #end} sends a statement.
 */
final class StatementQueue {

  /** How long a thread that was subscribing to a statement has to cancel it. */
  private static final long REFUSAL_DELAY_MILLIS = 100;

  private final Object lock = new Object();

  /**
   * Completes when the request that begins the transaction is answered, with its failure or null.
   */
  private final CompletableFuture<@Nullable Throwable> begun = new CompletableFuture<>();

  /** Whether some request begins the transaction, or no request ever will. */
  @GuardedBy("lock")
  private boolean started;

  /** Completes when it is the turn of the next DML. */
  @GuardedBy("lock")
  private CompletableFuture<?> nextWrite = begun;

  /** Set once, when the attempt commits, rolls back or is cancelled; written under the lock. */
  private volatile boolean closed;

  /**
   * @param explicit whether a separate request begins the transaction; {@link #beginAnswered} is
   *     then called for its answer
   */
  StatementQueue(boolean explicit) {
    started = explicit;
  }

  /**
   * Sends a statement that changes nothing: as the one that begins the transaction, or once it is
   * begun.
   */
  <V> Flux<V> read(ClientRequest<V> statement) {
    return Flux.create(sink -> add(statement, sink, false));
  }

  /** As {@link #read}, but DML also waits until the DML before it is answered. */
  <V> Flux<V> write(ClientRequest<V> statement) {
    return Flux.create(sink -> add(statement, sink, true));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a turn does not fail
  private <V> void add(ClientRequest<V> statement, FluxSink<V> sink, boolean write) {
    if (sink.isCancelled()) {
      return;
    }
    CompletableFuture<@Nullable Throwable> answered = new CompletableFuture<>();
    CompletableFuture<?> turn;
    synchronized (lock) {
      turn = !started ? null : write ? nextWrite : begun;
      started = true;
      if (write && turn != null) {
        nextWrite = after(answered);
      }
    }
    if (turn == null) {
      statement.send(sink, begun);
    } else {
      turn.thenRun(() -> takeTurn(statement, sink, answered));
    }
  }

  /** Completes after a statement's answer. A chain of turns that end at once needs no stack. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private static CompletableFuture<?> after(CompletableFuture<?> answered) {
    CompletableFuture<?> turn = new CompletableFuture<>();
    answered.thenRun(() -> Trampoline.run(() -> turn.complete(null)));
    return turn;
  }

  private <V> void takeTurn(
      ClientRequest<V> statement,
      FluxSink<V> sink,
      CompletableFuture<@Nullable Throwable> answered) {
    if (!closed && !sink.isCancelled()) {
      statement.send(sink, answered);
      return;
    }
    answered.complete(null);
    if (!sink.isCancelled()) {
      refuse(sink);
    }
  }

  /**
   * Refuses a statement a little later. If the transaction was cancelled, the thread that
   * subscribes to the statement may be about to cancel it; then nobody would receive the error.
   */
  private static void refuse(FluxSink<?> sink) {
    sink.onDispose(
        Schedulers.parallel()
            .schedule(() -> sink.error(tooLate()), REFUSAL_DELAY_MILLIS, TimeUnit.MILLISECONDS));
  }

  static IllegalStateException tooLate() {
    return new IllegalStateException(
        "the transaction is over; each attempt has a new SpannerTransaction");
  }

  /** Called when the explicit request that begins the transaction is answered. */
  void beginAnswered() {
    begun.complete(null);
  }

  /** Completes when the transaction is begun by one of its statements, or that one has failed. */
  CompletableFuture<?> begun() {
    return begun;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether the first statement failed, so that no transaction was begun. */
  boolean isFailed() {
    Throwable failure = begun.getNow(null);
    return failure != null
        && !(failure instanceof AbortedException)
        && !(failure instanceof LostAnswerException);
  }

  /**
   * Ends the sending: a statement whose turn comes after this call is refused at its turn, which
   * for DML is the answer to the DML before it. May be called several times.
   *
   * @return completes when no request is under way that may still begin the transaction; until then
   *     its session must not be closed
   */
  CompletableFuture<?> end() {
    boolean unused;
    synchronized (lock) {
      closed = true;
      unused = !started;
      started = true;
    }
    if (unused) {
      begun.complete(null);
    }
    return begun;
  }
}
