package io.millrace.test.emulator;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.CreateSessionRequest;
import com.google.spanner.v1.ExecuteBatchDmlRequest;
import com.google.spanner.v1.ExecuteBatchDmlResponse;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.PartialResultSet;
import com.google.spanner.v1.ReadRequest;
import com.google.spanner.v1.ResultSet;
import com.google.spanner.v1.RollbackRequest;
import com.google.spanner.v1.Session;
import com.google.spanner.v1.Transaction;
import com.google.spanner.v1.TransactionSelector;
import io.grpc.Status;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives each read-write transaction on a multiplexed session a session of its own, for emulators
 * that cannot run two such transactions on one session.
 *
 * <p>The request that begins a transaction goes to a session that no other transaction uses. Later
 * requests of the transaction go to the same session, also if a commit is sent again because its
 * answer was lost: a session is used again only after {@value #REST} other transactions have ended.
 * All other requests stay as they are. Any thread may call; none is blocked.
 */
final class TransactionSessions {

  /** How many transactions end before the session of an ended one is used again. */
  private static final int REST = 1_000;

  /** The emulator counts the transactions of each database. */
  private record Id(String database, ByteString transaction) {}

  private final Function<CreateSessionRequest, CompletionStage<Session>> server;
  private final Set<String> multiplexed = ConcurrentHashMap.newKeySet();
  private final Map<Id, String> sessions = new ConcurrentHashMap<>();

  /** Transactions that have not ended. What ends one moves it to the next collection, once. */
  private final Set<Id> running = ConcurrentHashMap.newKeySet();

  private final Queue<Id> ended = new ConcurrentLinkedQueue<>();
  private final Map<String, Queue<String>> rested = new ConcurrentHashMap<>();

  /**
   * Begins with no session.
   *
   * @param server creates a session
   */
  TransactionSessions(Function<CreateSessionRequest, CompletionStage<Session>> server) {
    this.server = server;
  }

  /** The request as it has to be sent; fails if a session was needed and could not be created. */
  CompletionStage<Message> route(Message request) {
    String session = session(request);
    if (!multiplexed.contains(session)) {
      return CompletableFuture.completedStage(request);
    }
    TransactionSelector transaction = transaction(request);
    if (transaction.getBegin().hasReadWrite()) {
      return unused(database(session)).thenApply(own -> on(own, request));
    }
    String own = sessions.get(new Id(database(session), transaction.getId()));
    return CompletableFuture.completedStage(own == null ? request : on(own, request));
  }

  /** Notes the session or the transaction that an answer announces. */
  void answered(Message sent, Message answer) {
    if (sent instanceof CreateSessionRequest request && request.getSession().getMultiplexed()) {
      multiplexed.add(((Session) answer).getName());
    }
    String session = session(sent);
    if (session.isEmpty() || multiplexed.contains(session)) {
      return;
    }
    ByteString begun = begun(answer);
    if (!begun.isEmpty() && transaction(sent).getBegin().hasReadWrite()) {
      Id id = new Id(database(session), begun);
      sessions.put(id, session);
      running.add(id);
    }
  }

  /** Notes the end of a request, and with it of its transaction. */
  void ended(Message sent, Status status) {
    boolean last = sent instanceof CommitRequest || sent instanceof RollbackRequest;
    if (last || status.getCode() == Status.Code.ABORTED) {
      Id id = new Id(database(session(sent)), transaction(sent).getId());
      if (running.remove(id)) {
        ended.add(id);
        rest();
      }
    }
  }

  private void rest() {
    Id oldest = ended.size() > REST ? ended.poll() : null;
    String session = oldest == null ? null : sessions.remove(oldest);
    if (session != null) {
      rested.computeIfAbsent(database(session), any -> new ConcurrentLinkedQueue<>()).add(session);
    }
  }

  private CompletionStage<String> unused(String database) {
    Queue<String> free = rested.get(database);
    String session = free == null ? null : free.poll();
    if (session != null) {
      return CompletableFuture.completedStage(session);
    }
    return server
        .apply(CreateSessionRequest.newBuilder().setDatabase(database).build())
        .thenApply(Session::getName);
  }

  private static Message on(String session, Message request) {
    return request.toBuilder()
        .setField(request.getDescriptorForType().findFieldByName("session"), session)
        .build();
  }

  private static String session(Message request) {
    var field = request.getDescriptorForType().findFieldByName("session");
    return field != null && request.getField(field) instanceof String name ? name : "";
  }

  private static String database(String session) {
    int end = session.indexOf("/sessions/");
    return end < 0 ? session : session.substring(0, end);
  }

  private static TransactionSelector transaction(Message request) {
    if (request instanceof ReadRequest read) {
      return read.getTransaction();
    }
    if (request instanceof ExecuteSqlRequest statement) {
      return statement.getTransaction();
    }
    if (request instanceof ExecuteBatchDmlRequest batch) {
      return batch.getTransaction();
    }
    TransactionSelector.Builder selector = TransactionSelector.newBuilder();
    if (request instanceof BeginTransactionRequest begin) {
      return selector.setBegin(begin.getOptions()).build();
    }
    if (request instanceof CommitRequest commit) {
      return selector.setId(commit.getTransactionId()).build();
    }
    if (request instanceof RollbackRequest rollback) {
      return selector.setId(rollback.getTransactionId()).build();
    }
    return TransactionSelector.getDefaultInstance();
  }

  /** The id of the transaction that an answer says was begun, or empty. */
  private static ByteString begun(@Nullable Message answer) {
    if (answer instanceof Transaction transaction) {
      return transaction.getId();
    }
    if (answer instanceof PartialResultSet rows) {
      return rows.getMetadata().getTransaction().getId();
    }
    if (answer instanceof ResultSet rows) {
      return rows.getMetadata().getTransaction().getId();
    }
    if (answer instanceof ExecuteBatchDmlResponse counts && counts.getResultSetsCount() > 0) {
      return begun(counts.getResultSets(0));
    }
    return ByteString.EMPTY;
  }
}
