package io.millrace.test.emulator;

import com.google.common.io.ByteStreams;
import com.google.protobuf.Message;
import com.google.spanner.v1.CreateSessionRequest;
import com.google.spanner.v1.Session;
import com.google.spanner.v1.SpannerGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of an emulator and passes every request on, those of read-write transactions on
 * sessions of their own: see {@link TransactionSessions}. So any client can use the emulator,
 * however it is made and in whatever process.
 *
 * <p>Deadlines and cancellations reach the emulator. Rows are passed on as they come.
 */
final class SessionsProxy implements AutoCloseable {

  private static final Map<String, MethodDescriptor<?, ?>> METHODS =
      SpannerGrpc.getServiceDescriptor().getMethods().stream()
          .collect(Collectors.toMap(MethodDescriptor::getFullMethodName, Function.identity()));

  private final ManagedChannel emulator;
  private final Server server;
  private final TransactionSessions sessions = new TransactionSessions(this::create);

  private SessionsProxy(ManagedChannel emulator) throws IOException {
    this.emulator = emulator;
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .fallbackHandlerRegistry(
                new HandlerRegistry() {
                  @Override
                  public ServerMethodDefinition<?, ?> lookupMethod(
                      String name, @Nullable String authority) {
                    return definition(METHODS.getOrDefault(name, unread(name)));
                  }
                })
            .build()
            .start();
  }

  /** Starts a proxy of the emulator at {@code host:port}. */
  static SessionsProxy of(String emulator) {
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget(emulator)
            .usePlaintext()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .build();
    try {
      return new SessionsProxy(channel);
    } catch (IOException e) {
      channel.shutdownNow();
      throw new UncheckedIOException(e);
    }
  }

  /** Where it listens: {@code host:port}. */
  String host() {
    return "localhost:" + server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
    emulator.shutdownNow();
  }

  private CompletionStage<Session> create(CreateSessionRequest request) {
    CompletableFuture<Session> created = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        emulator.newCall(SpannerGrpc.getCreateSessionMethod(), CallOptions.DEFAULT),
        request,
        new StreamObserver<>() {
          @Override
          public void onNext(Session session) {
            created.complete(session);
          }

          @Override
          public void onError(Throwable failure) {
            created.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {}
        });
    return created;
  }

  private <Q, A> ServerMethodDefinition<Q, A> definition(MethodDescriptor<Q, A> method) {
    return ServerMethodDefinition.create(method, new Handler<>(method));
  }

  /** A method whose messages are passed on without being read. */
  private static MethodDescriptor<byte[], byte[]> unread(String name) {
    Bytes bytes = new Bytes();
    return MethodDescriptor.newBuilder(bytes, bytes)
        .setFullMethodName(name)
        .setType(MethodDescriptor.MethodType.UNKNOWN)
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
      try {
        return ByteStreams.toByteArray(message);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Every request of these APIs is one message; the answer is one or many. */
  private final class Handler<Q, A> implements ServerCallHandler<Q, A> {

    private final MethodDescriptor<Q, A> method;

    Handler(MethodDescriptor<Q, A> method) {
      this.method = method;
    }

    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, A> call, Metadata headers) {
      call.request(2); // the message, and the end after it
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(Q request) {
          Context context = Context.current(); // holds the deadline, and ends when it is cancelled
          route(request)
              .whenComplete(
                  (routed, failure) ->
                      context.run(
                          () -> {
                            if (failure == null) {
                              forward(call, headers, routed);
                            } else {
                              call.close(Status.fromThrowable(failure), new Metadata());
                            }
                          }));
        }
      };
    }

    @SuppressWarnings("unchecked") // the routed message is of the same type
    private CompletionStage<Q> route(Q request) {
      return request instanceof Message message
          ? sessions.route(message).thenApply(routed -> (Q) routed)
          : CompletableFuture.completedStage(request);
    }

    private void forward(ServerCall<Q, A> call, Metadata headers, Q request) {
      ClientCall<Q, A> onward = emulator.newCall(method, CallOptions.DEFAULT);
      onward.start(
          new ClientCall.Listener<>() {
            @Override
            public void onHeaders(Metadata answerHeaders) {
              call.sendHeaders(answerHeaders);
            }

            @Override
            public void onMessage(A answer) {
              if (request instanceof Message sent && answer instanceof Message received) {
                sessions.answered(sent, received);
              }
              call.sendMessage(answer);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              call.close(status, trailers);
            }
          },
          headers);
      onward.request(Integer.MAX_VALUE);
      onward.sendMessage(request);
      onward.halfClose();
    }
  }
}
