package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Lets the first statement of a transaction go ahead and holds the others until it is answered.
 *
 * <p>The first statement begins the transaction, and the client blocks the thread of any statement
 * that is started before the transaction's id is known. Here such a statement waits without a
 * thread.
 */
final class BeginGate implements FirstAnswer {

  private enum State {
    /** No statement was started. */
    IDLE,
    /** The first statement is not answered yet. */
    PENDING,
    /** The first statement began the transaction, or learned that it is aborted. */
    OPEN,
    /** The first statement failed, and no transaction was begun. */
    FAILED
  }

  /** Moves forward only: IDLE, PENDING, then OPEN or FAILED. */
  private final AtomicReference<State> state;

  /** Completes when the state leaves PENDING, by the thread that moved it. */
  private final Sinks.Empty<Void> answered = Sinks.empty();

  /**
   * @param begun whether the transaction was begun explicitly, so that nothing has to wait
   */
  BeginGate(boolean begun) {
    state = new AtomicReference<>(begun ? State.OPEN : State.IDLE);
    if (begun) {
      answered.tryEmitEmpty();
    }
  }

  /** True for the one caller whose statement is the first; it must report {@link #arrived}. */
  boolean claim() {
    return state.compareAndSet(State.IDLE, State.PENDING);
  }

  @Override
  public void arrived(@Nullable Throwable failure) {
    boolean failed =
        failure != null
            && !(failure instanceof AbortedException)
            && !(failure instanceof LostAnswerException);
    if (state.compareAndSet(State.PENDING, failed ? State.FAILED : State.OPEN)) {
      answered.tryEmitEmpty();
    }
  }

  /** Completes when the first statement is answered. */
  Mono<Void> answered() {
    return answered.asMono();
  }

  boolean isPending() {
    return state.get() == State.PENDING;
  }

  boolean isFailed() {
    return state.get() == State.FAILED;
  }
}
