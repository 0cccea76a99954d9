package io.millrace.perf;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests that transactions send, and those that Spanner answers with an abort. */
final class RequestCounter implements ClientInterceptor {

  private static final Set<String> COUNTED =
      Set.of(
          "BeginTransaction",
          "Read",
          "StreamingRead",
          "ExecuteSql",
          "ExecuteStreamingSql",
          "ExecuteBatchDml",
          "Commit",
          "Rollback");

  private final LongAdder sent = new LongAdder();
  private final LongAdder aborted = new LongAdder();

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    String name = method.getBareMethodName();
    return name != null && COUNTED.contains(name) ? new Counted<>(call) : call;
  }

  private final class Counted<Q, A> extends SimpleForwardingClientCall<Q, A> {

    Counted(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              if (status.getCode() == Status.Code.ABORTED) {
                aborted.increment();
              }
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    @Override
    public void sendMessage(Q message) {
      sent.increment();
      super.sendMessage(message);
    }
  }

  /** The number of requests sent so far. */
  long sent() {
    return sent.sum();
  }

  /** The number of requests answered with {@code ABORTED} so far. */
  long aborted() {
    return aborted.sum();
  }
}
