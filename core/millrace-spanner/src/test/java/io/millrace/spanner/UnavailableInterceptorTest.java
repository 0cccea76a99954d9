package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnavailableInterceptorTest {

  private static final Metadata TRAILERS = new Metadata();

  private static final MethodDescriptor.Marshaller<String> NO_MESSAGES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String value) {
          return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public String parse(InputStream stream) {
          return "";
        }
      };

  /** A server that ends each call at once. */
  private static final class Ending extends Channel {

    private final Status status;

    private Ending(Status status) {
      this.status = status;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return new ClientCall<>() {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          listener.onClose(status, TRAILERS);
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
      };
    }

    @Override
    public String authority() {
      return "";
    }
  }

  /** What the client is told of a call that ends like this. */
  private static Status told(MethodType type, Status status) {
    MethodDescriptor<String, String> method =
        MethodDescriptor.newBuilder(NO_MESSAGES, NO_MESSAGES)
            .setType(type)
            .setFullMethodName("service/method")
            .build();
    List<Status> told = new ArrayList<>();
    new UnavailableInterceptor()
        .interceptCall(method, CallOptions.DEFAULT, new Ending(status))
        .start(
            new ClientCall.Listener<>() {
              @Override
              public void onClose(Status end, Metadata trailers) {
                assertThat(trailers).isSameAs(TRAILERS);
                told.add(end);
              }
            },
            new Metadata());
    assertThat(told).hasSize(1);
    return told.get(0);
  }

  @Test
  void aStreamThatIsUnavailableEndsWithAStatusThatTheClientDoesNotRetry() {
    Throwable cause = new IllegalStateException("no route");
    Status told =
        told(
            MethodType.SERVER_STREAMING,
            Status.UNAVAILABLE.withDescription("connection refused").withCause(cause));
    assertThat(told.getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(told.getDescription()).isEqualTo("UNAVAILABLE: connection refused");
    assertThat(told.getCause()).isSameAs(cause);
  }

  @Test
  void anyOtherEndIsToldAsItIs() {
    assertThat(told(MethodType.SERVER_STREAMING, Status.ABORTED)).isSameAs(Status.ABORTED);
    assertThat(told(MethodType.SERVER_STREAMING, Status.OK)).isSameAs(Status.OK);
    assertThat(told(MethodType.UNARY, Status.UNAVAILABLE)).isSameAs(Status.UNAVAILABLE);
  }
}
