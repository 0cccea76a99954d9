package io.millrace.spanner;

import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.AsyncResultSet.ReadyCallback;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Struct;
import com.google.common.util.concurrent.MoreExecutors;
import io.millrace.internal.SerialDrain;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;

/**
 * One subscriber to a {@link RowFlux} and its result set.
 *
 * <p>The client's thread for this stream puts rows into a queue. The drain loop, which one thread
 * at a time runs, emits them.
 */
final class RowSubscription extends SerialDrain
    implements Subscription, Scannable, ClientRequest, ReadyCallback, ApiFutureCallback<Void> {

  private static final AtomicLongFieldUpdater<RowSubscription> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(RowSubscription.class, "requested");

  private final CoreSubscriber<? super Struct> actual;
  private final Supplier<AsyncResultSet> open;
  private final Queue<Struct> queue = Queues.<Struct>unbounded().get();

  /** Written before the request is sent. */
  private AnswerListener answerListener = AnswerListener.NONE;

  /** Set when the result set has its callback; only then can it be cancelled. */
  private volatile @Nullable AsyncResultSet rows;

  /** The failure of the cursor. Written and read by the client's thread for this stream. */
  private volatile @Nullable SpannerException cursorFailure;

  /** The error that ended the rows, or null. Written before {@code ended} is set. */
  private @Nullable Throwable failure;

  /** Set when no further row will arrive. */
  private volatile boolean ended;

  /** Increased by any thread, decreased by the drain loop. */
  private volatile long requested;

  /** Set by a thread that cancels; never reset. */
  private volatile boolean cancelled;

  /** Whether the subscriber has its terminal signal or has cancelled. Drain loop only. */
  private boolean done;

  RowSubscription(CoreSubscriber<? super Struct> actual, Supplier<AsyncResultSet> open) {
    this.actual = actual;
    this.open = open;
  }

  @Override
  public boolean isWanted() {
    return !cancelled;
  }

  @Override
  public void send(AnswerListener listener) {
    answerListener = listener;
    AsyncResultSet opened = null;
    try {
      opened = open.get();
      var end = opened.setCallback(MoreExecutors.directExecutor(), this);
      rows = opened;
      ApiFutures.addCallback(end, this, MoreExecutors.directExecutor());
    } catch (RuntimeException thrown) {
      cancelOrClose(opened);
      fail(thrown);
      return;
    }
    if (cancelled) { // the cancel may have found no result set
      opened.cancel();
    }
  }

  private void cancelOrClose(@Nullable AsyncResultSet opened) {
    AsyncResultSet reading = rows;
    if (reading != null) {
      reading.cancel();
    } else if (opened != null) {
      opened.close();
    }
  }

  /**
   * If the subscriber has cancelled, the reason is not reported: the request was no longer needed.
   */
  @Override
  public void refuse(Throwable reason) {
    endRows(reason);
  }

  @Override
  public CallbackResponse cursorReady(AsyncResultSet cursor) {
    try {
      while (true) {
        switch (cursor.tryNext()) {
          case DONE:
            return CallbackResponse.DONE;
          case NOT_READY:
            return CallbackResponse.CONTINUE;
          case OK:
            answerListener.arrived(null);
            queue.add(cursor.getCurrentRowAsStruct());
            drain();
        }
      }
    } catch (SpannerException e) {
      cursorFailure = e;
      return CallbackResponse.DONE; // now the future that setCallback returned fails
    }
  }

  @Override
  public void onSuccess(@Nullable Void nothing) {
    answerListener.arrived(null);
    end(null);
  }

  @Override
  public void onFailure(Throwable reported) {
    SpannerException earlier = cursorFailure;
    if (isOurCancel(reported)) {
      onSuccess(null); // the server has answered, and we have cancelled the rest
    } else if (!LostAnswerException.isLost(reported)) {
      fail(reported);
    } else if (earlier != null && !isOurCancel(earlier) && !LostAnswerException.isLost(earlier)) {
      fail(earlier);
    } else {
      fail(new LostAnswerException(reported));
    }
  }

  /** Whether the client reports that the result set ended by our cancel, without a failure. */
  private boolean isOurCancel(Throwable reported) {
    return cancelled
        && reported instanceof SpannerException end
        && end.getErrorCode() == ErrorCode.CANCELLED
        && String.valueOf(end.getMessage()).contains("AsyncResultSet");
  }

  private void fail(Throwable reason) {
    answerListener.arrived(reason);
    end(reason);
  }

  private void end(@Nullable Throwable reason) {
    if (reason != null && cancelled && !answerListener.handlesLateFailure()) {
      Operators.onErrorDropped(reason, actual.currentContext());
    }
    endRows(reason);
  }

  private void endRows(@Nullable Throwable reason) {
    failure = reason;
    ended = true;
    drain();
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n)) {
      Operators.addCap(REQUESTED, this, n);
      drain();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    AsyncResultSet reading = rows;
    if (reading != null) {
      reading.cancel();
    }
    drain();
  }

  @Override
  protected void drainOnce() {
    long demand = requested;
    long emitted = 0;
    while (!done && !cancelled) {
      boolean last = ended;
      Struct row = emitted == demand ? null : queue.poll();
      if (row == null) {
        if (last && queue.isEmpty()) {
          done = true;
          signalEnd();
        }
        break;
      }
      emitted++;
      actual.onNext(row);
    }
    if (done || cancelled) {
      done = true;
      Operators.onDiscardQueueWithClear(queue, actual.currentContext(), null);
    } else if (emitted != 0) {
      Operators.produced(REQUESTED, this, emitted);
    }
  }

  private void signalEnd() {
    Throwable reason = failure;
    if (reason == null) {
      actual.onComplete();
    } else {
      actual.onError(reason);
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.TERMINATED) {
      return ended && queue.isEmpty();
    }
    if (key == Attr.ERROR) {
      return ended ? failure : null;
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
      return requested;
    }
    return key == Attr.CANCELLED ? cancelled : null;
  }
}
