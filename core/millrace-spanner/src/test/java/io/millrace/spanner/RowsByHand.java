package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.SettableApiFuture;
import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.AsyncResultSet.CursorState;
import com.google.cloud.spanner.AsyncResultSet.ReadyCallback;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.Struct;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A result set of the client whose rows come, and which ends, when the test says so. */
final class RowsByHand implements Supplier<AsyncResultSet> {

  private final SettableApiFuture<Void> end = SettableApiFuture.create();
  private final Queue<Struct> cursor = new ArrayDeque<>();
  private final AsyncResultSet rows = make();
  private @Nullable ReadyCallback callback;
  private @Nullable SpannerException cursorFailure;
  private @Nullable Throwable reportedFailure;
  private boolean cursorEnded;

  int opened;
  int cancelled;

  /** A row with one number. */
  static Struct row(long number) {
    return Struct.newBuilder().set("n").to(number).build();
  }

  /** What the client reports when the application has cancelled a result set. */
  static SpannerException endOfCancel() {
    return SpannerExceptionFactory.newSpannerException(
        ErrorCode.CANCELLED, "This AsyncResultSet has been cancelled");
  }

  /** What the client reports when it has lost the server's refusal. */
  static SpannerException lostRefusal() {
    return SpannerExceptionFactory.newSpannerException(
        ErrorCode.UNKNOWN, "stream ended", new IllegalStateException("read twice"));
  }

  @Override
  public AsyncResultSet get() {
    opened++;
    return rows;
  }

  private AsyncResultSet make() {
    return Proxies.of(
        AsyncResultSet.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "setCallback":
              callback = (ReadyCallback) arguments[1];
              if (cursorEnded || cursorFailure != null) {
                settle();
              }
              return end();
            case "tryNext":
              return next();
            case "getCurrentRowAsStruct":
              return cursor.remove();
            case "cancel":
              cancelled++;
              return null;
            case "close":
              return null;
            default:
              throw new AssertionError(method);
          }
        });
  }

  private ApiFuture<?> end() {
    return Proxies.of(
        ApiFuture.class,
        (proxy, method, arguments) -> {
          return ScriptedClient.forward(method, end, arguments);
        });
  }

  private CursorState next() {
    if (!cursor.isEmpty()) {
      return CursorState.OK;
    }
    if (cursorFailure != null) {
      throw cursorFailure;
    }
    return cursorEnded ? CursorState.DONE : CursorState.NOT_READY;
  }

  /** Rows arrive, and the client's thread for this stream says so. */
  CallbackResponse arrive(Struct... arrived) {
    cursor.addAll(Arrays.asList(arrived));
    return Objects.requireNonNull(callback, "the result set has no callback").cursorReady(rows);
  }

  /** The result set ends without a failure; rows may come before. */
  void finish(Struct... arrived) {
    cursorEnded = true;
    cursor.addAll(Arrays.asList(arrived));
    settle();
  }

  /**
   * The cursor fails, and the result set reports another failure than the cursor's, or the same.
   */
  void fail(SpannerException ofCursor, Throwable reported) {
    cursorFailure = ofCursor;
    reportedFailure = reported;
    settle();
  }

  /** All rows are there, and the end, as soon as somebody reads. */
  void finishesAtOnce(List<Struct> rows) {
    cursorEnded = true;
    cursor.addAll(rows);
  }

  /** The failure is there as soon as somebody reads. */
  void failsAtOnce(SpannerException failure) {
    cursorFailure = failure;
    reportedFailure = failure;
  }

  private void settle() {
    if (arrive() != CallbackResponse.DONE) {
      return;
    }
    if (reportedFailure == null) {
      end.set(null);
    } else {
      end.setException(reportedFailure);
    }
  }

  /** The result set fails before its cursor is asked. */
  void fail(Throwable reported) {
    end.setException(reported);
  }
}
