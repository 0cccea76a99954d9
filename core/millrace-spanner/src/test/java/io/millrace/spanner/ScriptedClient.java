package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionFunction;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionStep;
import com.google.cloud.spanner.AsyncTransactionManager.CommitTimestampFuture;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.TransactionContext;
import com.google.protobuf.Duration;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A client whose transactions answer at once, with commits as scripted; for virtual time. */
final class ScriptedClient {

  private final Queue<Throwable> commitFailures = new ArrayDeque<>();

  /** The aborted transaction that each attempt followed; null for a first attempt. */
  final List<@Nullable Object> begunFrom = new ArrayList<>();

  private final Queue<Throwable> beginFailures = new ArrayDeque<>();

  /** What DML is answered with; more of it is refused. */
  final Queue<ApiFuture<Long>> updates = new ArrayDeque<>();

  /** Called when a request is sent, before it is answered. */
  Runnable atBegin = () -> {};

  Runnable atCommit = () -> {};

  /** What begins and commits are answered with, if set. */
  @Nullable ApiFuture<TransactionContext> beginning;

  @Nullable ApiFuture<Timestamp> committing;

  /** Called when a manager is closed, before that is answered. */
  Runnable atClose = () -> {};

  /** What the closing of a manager, which rolls back, is answered with. */
  ApiFuture<Void> closing = ApiFutures.immediateFuture(null);

  int begunAgain;
  int closed;
  int commits;

  void failBeginWith(Throwable failure) {
    beginFailures.add(failure);
  }

  void failCommitWith(Throwable failure) {
    commitFailures.add(failure);
  }

  static AbortedException abort(long retryDelayMillis) {
    Metadata trailers = new Metadata();
    if (retryDelayMillis > 0) {
      trailers.put(
          ProtoUtils.keyForProto(RetryInfo.getDefaultInstance()),
          RetryInfo.newBuilder()
              .setRetryDelay(
                  Duration.newBuilder()
                      .setSeconds(retryDelayMillis / 1_000)
                      .setNanos((int) (retryDelayMillis % 1_000) * 1_000_000))
              .build());
    }
    return (AbortedException)
        SpannerExceptionFactory.newSpannerException(
            ErrorCode.ABORTED, "scripted", Status.ABORTED.asRuntimeException(trailers));
  }

  DatabaseClient client() {
    return Proxies.of(DatabaseClient.class, (p, method, arguments) -> manager());
  }

  private AsyncTransactionManager manager() {
    return Proxies.of(
        AsyncTransactionManager.class,
        (p, method, arguments) -> {
          switch (method.getName()) {
            case "beginAsync":
              begunFrom.add(arguments == null ? null : arguments[0]);
              return begun();
            case "resetForRetryAsync":
              begunAgain++;
              return begun();
            case "closeAsync":
              closed++;
              atClose.run();
              return closing;
            default:
              throw new UnsupportedOperationException(method.getName());
          }
        });
  }

  private TransactionContextFuture begun() {
    atBegin.run();
    Throwable failure = beginFailures.poll();
    TransactionContext context =
        Proxies.of(
            TransactionContext.class,
            (p, method, arguments) -> {
              if (method.getName().equals("buffer")) {
                return null;
              }
              if (method.getName().equals("executeUpdateAsync") && !updates.isEmpty()) {
                return updates.remove();
              }
              throw new UnsupportedOperationException(method.getName());
            });
    ApiFuture<TransactionContext> pending = beginning;
    ApiFuture<TransactionContext> future = pending == null ? answer(context, failure) : pending;
    return Proxies.of(
        TransactionContextFuture.class,
        (p, method, arguments) ->
            method.getName().equals("then")
                ? step(
                    failure == null && pending == null
                        ? ((AsyncTransactionFunction<?, ?>) arguments[0]).apply(context, null)
                        : future)
                : forward(method, future, arguments));
  }

  private AsyncTransactionStep<?, ?> step(ApiFuture<?> result) {
    return Proxies.of(
        AsyncTransactionStep.class,
        (p, method, arguments) ->
            method.getName().equals("commitAsync") ? commit() : forward(method, result, arguments));
  }

  private CommitTimestampFuture commit() {
    commits++;
    atCommit.run();
    ApiFuture<Timestamp> pending = committing;
    ApiFuture<Timestamp> answer =
        pending == null ? answer(Timestamp.now(), commitFailures.poll()) : pending;
    return Proxies.of(
        CommitTimestampFuture.class, (p, method, arguments) -> forward(method, answer, arguments));
  }

  private static <T> ApiFuture<T> answer(T value, @Nullable Throwable failure) {
    return failure == null
        ? ApiFutures.immediateFuture(value)
        : ApiFutures.immediateFailedFuture(failure);
  }

  static @Nullable Object forward(
      java.lang.reflect.Method method, Object target, Object @Nullable [] arguments)
      throws Throwable {
    return Proxies.call(
        target, ApiFuture.class.getMethod(method.getName(), method.getParameterTypes()), arguments);
  }
}
