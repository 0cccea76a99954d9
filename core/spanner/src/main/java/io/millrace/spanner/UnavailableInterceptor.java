package io.millrace.spanner;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;

/**
 * Lets the caller of a read or a query hear that Spanner is away. The client sends a stream that
 * ended with {@code UNAVAILABLE} again and again, whatever its settings say, on a thread that
 * sleeps in between and with the session; so such a stream ends with {@code UNKNOWN} here, which
 * the client passes on, and which names the reason.
 */
final class UnavailableInterceptor implements ClientInterceptor {

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    if (method.getType() != MethodType.SERVER_STREAMING) {
      return call;
    }
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                super.onClose(withoutClientRetry(status), trailers);
              }
            },
            headers);
      }
    };
  }

  private static Status withoutClientRetry(Status status) {
    return status.getCode() == Status.Code.UNAVAILABLE
        ? Status.UNKNOWN
            .withDescription("UNAVAILABLE: " + status.getDescription())
            .withCause(status.getCause())
        : status;
  }
}
