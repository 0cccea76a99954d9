package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import com.google.protobuf.Message;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.RollbackRequest;
import com.google.spanner.v1.SpannerGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.millrace.test.emulator.EmulatorDatabase;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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
  private final List<String> aborted = new CopyOnWriteArrayList<>();
  private final List<Message> requests = new CopyOnWriteArrayList<>();
  private final Queue<Status> commitAnswers = new ConcurrentLinkedQueue<>();
  private final Queue<Map.Entry<String, StatusRuntimeException>> lost =
      new ConcurrentLinkedQueue<>();
  private final Set<StatusRuntimeException> ending = ConcurrentHashMap.newKeySet();
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

  /** The names of the requests that the server itself aborted. */
  List<String> aborted() {
    return List.copyOf(aborted);
  }

  <M extends Message> List<M> requests(Class<M> type) {
    return requests.stream().filter(type::isInstance).map(type::cast).toList();
  }

  void clear() {
    calls.clear();
    aborted.clear();
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
    lose(request, status.asRuntimeException(new Metadata()));
  }

  /**
   * The same with trailers, such as a delay. A lost commit that fails with ABORTED ends its
   * transaction on the server.
   */
  void lose(String request, StatusRuntimeException failure) {
    lost.add(Map.entry(request, failure));
  }

  /**
   * Loses the next commit, whose transaction the server ends. The emulator crashes if another one
   * takes the locks of a transaction that was left open, and its session is then closed.
   */
  void loseCommitAndEnd(Status status) {
    StatusRuntimeException failure = status.asRuntimeException(new Metadata());
    ending.add(failure);
    lose("Commit", failure);
  }

  /** Loses and replaces nothing any more. */
  void heal() {
    synchronized (lost) {
      lost.clear();
    }
    commitAnswers.clear();
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
    List<Runnable> due;
    synchronized (held) {
      holding = Set.of();
      due = List.copyOf(held);
      held.clear();
    }
    due.forEach(Runnable::run);
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel channel) {
    String name = String.valueOf(method.getBareMethodName());
    if (!RECORDED.contains(name)) {
      return channel.newCall(method, options);
    }
    StatusRuntimeException failure = take(name, lost);
    if (failure != null) {
      calls.add(name);
      return new LostCall<>(
          failure,
          request -> {
            if (failure.getStatus().getCode() == Status.Code.ABORTED || ending.remove(failure)) {
              end(request, options, channel);
            }
          });
    }
    Runnable due = take(name, before);
    if (due != null) {
      due.run();
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

  /** Takes what is planned next if it is for this request; requests may come at the same time. */
  private static <T> @Nullable T take(String request, Queue<Map.Entry<String, T>> planned) {
    synchronized (planned) {
      Map.Entry<String, T> next = planned.peek();
      if (next == null || !next.getKey().equals(request)) {
        return null;
      }
      planned.poll();
      return next.getValue();
    }
  }

  private static void end(Object request, CallOptions options, Channel channel) {
    if (request instanceof CommitRequest commit) {
      ClientCalls.blockingUnaryCall(
          channel,
          SpannerGrpc.getRollbackMethod(),
          options,
          RollbackRequest.newBuilder()
              .setSession(commit.getSession())
              .setTransactionId(commit.getTransactionId())
              .build());
    }
  }

  /** A request that is not sent. */
  private static final class LostCall<Q, A> extends ClientCall<Q, A> {

    private final StatusRuntimeException failure;
    private final Consumer<Q> atRequest;
    private @Nullable Listener<A> listener;

    /**
     * @param atRequest what the server does with the request
     */
    LostCall(StatusRuntimeException failure, Consumer<Q> atRequest) {
      this.failure = failure;
      this.atRequest = atRequest;
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
    public void sendMessage(Q message) {
      atRequest.accept(message);
    }

    @Override
    public void halfClose() {
      Metadata trailers = failure.getTrailers();
      if (listener != null) {
        listener.onClose(failure.getStatus(), trailers == null ? new Metadata() : trailers);
      }
    }
  }

  /** Keeps an answer that is to be held, and none once all are released. */
  private boolean keep(String request, Runnable deliver) {
    synchronized (held) {
      return holding.contains(request) && held.add(deliver);
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
        if (status.getCode() == Status.Code.ABORTED) {
          aborted.add(name);
        }
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
        if (!keep(name, deliver)) {
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
