package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.millrace.test.emulator.EmulatorDatabase;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A client of a database that records the requests of transactions. It can hold back or replace the
 * server's answers to commits, which the server has applied by then.
 */
final class Wire implements ClientInterceptor, AutoCloseable {

  private static final Set<String> RECORDED =
      Set.of(
          "StreamingRead",
          "Read",
          "ExecuteSql",
          "ExecuteStreamingSql",
          "BeginTransaction",
          "ExecuteBatchDml",
          "Commit",
          "Rollback");

  private final Spanner spanner;
  private final DatabaseClient client;
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<Message> requests = new CopyOnWriteArrayList<>();
  private final Queue<Status> commitAnswers = new ConcurrentLinkedQueue<>();
  private final Queue<Map.Entry<String, Status>> lost = new ConcurrentLinkedQueue<>();
  private final Queue<Map.Entry<String, Runnable>> before = new ConcurrentLinkedQueue<>();
  private final List<Runnable> held = new CopyOnWriteArrayList<>();
  private volatile Set<String> holding = Set.of();

  Wire(EmulatorDatabase database) {
    spanner =
        database
            .emulator()
            .connect(
                options ->
                    options.setInterceptorProvider(
                        SpannerInterceptorProvider.createDefault().with(this)));
    client = spanner.getDatabaseClient(database.id());
    client.getDialect(); // a query, sent once
    clear();
  }

  DatabaseClient client() {
    return client;
  }

  /** The names of the requests so far. */
  List<String> calls() {
    return List.copyOf(calls);
  }

  <M extends Message> List<M> requests(Class<M> type) {
    return requests.stream().filter(type::isInstance).map(type::cast).toList();
  }

  void clear() {
    calls.clear();
    requests.clear();
  }

  /** Replaces the answer to the next commit that has no other replacement yet. */
  void answerCommitWith(Status status) {
    commitAnswers.add(status);
  }

  /**
   * Loses the next request of this name: it does not reach the server, and fails with this status.
   */
  void lose(String request, Status status) {
    lost.add(Map.entry(request, status));
  }

  /** Does something just before the next request of this name that is not lost goes out. */
  void before(String request, Runnable action) {
    before.add(Map.entry(request, action));
  }

  /** Keeps the answers to these requests until {@link #release}; for streams of one message. */
  void hold(String... requests) {
    holding = Set.of(requests);
  }

  int heldAnswers() {
    return held.size();
  }

  void release() {
    holding = Set.of();
    held.forEach(Runnable::run);
    held.clear();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel channel) {
    String name = String.valueOf(method.getBareMethodName());
    if (!RECORDED.contains(name)) {
      return channel.newCall(method, options);
    }
    Map.Entry<String, Status> next = lost.peek();
    if (next != null && next.getKey().equals(name)) {
      lost.remove();
      calls.add(name);
      return new LostCall<>(next.getValue());
    }
    Map.Entry<String, Runnable> due = before.peek();
    if (due != null && due.getKey().equals(name)) {
      before.remove();
      due.getValue().run();
    }
    return new SimpleForwardingClientCall<>(channel.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(answers(name, listener), headers);
      }

      @Override
      public void sendMessage(Q message) {
        calls.add(name);
        requests.add((Message) message);
        super.sendMessage(message);
      }
    };
  }

  /** A request that is not sent. */
  private static final class LostCall<Q, A> extends ClientCall<Q, A> {

    private final Status status;
    private @Nullable Listener<A> listener;

    LostCall(Status status) {
      this.status = status;
    }

    @Override
    public void start(Listener<A> responses, Metadata headers) {
      listener = responses;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void sendMessage(Q message) {}

    @Override
    public void halfClose() {
      if (listener != null) {
        listener.onClose(status, new Metadata());
      }
    }
  }

  private <A> ClientCall.Listener<A> answers(String name, ClientCall.Listener<A> listener) {
    Status replacement = name.equals("Commit") ? commitAnswers.poll() : null;
    return new SimpleForwardingClientCallListener<>(listener) {
      private @Nullable A answer;

      @Override
      public void onMessage(A message) {
        if (replacement == null && !holding.contains(name)) {
          super.onMessage(message);
        } else {
          answer = message;
        }
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        Runnable deliver =
            () -> {
              if (replacement != null) {
                super.onClose(replacement, new Metadata());
                return;
              }
              A received = answer;
              if (received != null) {
                super.onMessage(received);
              }
              super.onClose(status, trailers);
            };
        if (holding.contains(name)) {
          held.add(deliver);
        } else {
          deliver.run();
        }
      }
    };
  }

  @Override
  public void close() {
    spanner.close();
  }
}
