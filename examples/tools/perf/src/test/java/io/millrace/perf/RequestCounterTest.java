package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.CreateSessionRequest;
import com.google.spanner.v1.SpannerGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestCounterTest {

  private final RequestCounter counter = new RequestCounter();

  @Test
  void requestsOfTransactionsAreCountedAndThoseAborted() {
    send(SpannerGrpc.getCommitMethod(), CommitRequest.getDefaultInstance(), Status.ABORTED);
    send(SpannerGrpc.getCommitMethod(), CommitRequest.getDefaultInstance(), Status.OK);
    send(SpannerGrpc.getCommitMethod(), CommitRequest.getDefaultInstance(), Status.UNAVAILABLE);
    assertThat(counter.sent()).isEqualTo(3);
    assertThat(counter.aborted()).isEqualTo(1);
  }

  @Test
  void requestsOfSessionsAreNot() {
    send(
        SpannerGrpc.getCreateSessionMethod(),
        CreateSessionRequest.getDefaultInstance(),
        Status.ABORTED);
    assertThat(counter.sent()).isZero();
    assertThat(counter.aborted()).isZero();
  }

  private <Q, A> void send(MethodDescriptor<Q, A> method, Q message, Status answer) {
    ClientCall<Q, A> call =
        counter.interceptCall(method, CallOptions.DEFAULT, new Answering(answer));
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.sendMessage(message);
  }

  /** A channel whose calls end with one answer as soon as they are sent something. */
  private static final class Answering extends Channel {

    private final Status answer;

    Answering(Status answer) {
      this.answer = answer;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return new ClientCall<>() {
        private @Nullable Listener<A> listener;

        @Override
        public void start(Listener<A> responses, Metadata headers) {
          listener = responses;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {
          Objects.requireNonNull(listener).onClose(answer, new Metadata());
        }
      };
    }

    @Override
    public String authority() {
      return "none";
    }
  }
}
