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
 * Reports to the caller of a read or a query that Spanner is unavailable. The client retries a
 * stream that ended with {@code UNAVAILABLE} without end, whatever its settings say. Meanwhile it
 * keeps the session, and a thread that sleeps between the retries. So this interceptor ends such a
 * stream with {@code UNKNOWN}, which the client passes on, and names the reason in the description.
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
