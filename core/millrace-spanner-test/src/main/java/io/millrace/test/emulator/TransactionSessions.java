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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives each read-write transaction on a multiplexed session a new session of its own, for
 * emulators that cannot run two such transactions on one session. All other requests stay as they
 * are. Any thread may call; none is blocked.
 */
final class TransactionSessions {

  /** The emulator counts the transactions of each database. */
  private record Id(String database, ByteString transaction) {}

  private final Function<CreateSessionRequest, CompletionStage<Session>> server;
  private final Set<String> multiplexed = ConcurrentHashMap.newKeySet();
  private final Map<Id, String> sessions = new ConcurrentHashMap<>();

  /**
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
      return server
          .apply(CreateSessionRequest.newBuilder().setDatabase(database(session)).build())
          .thenApply(created -> on(created.getName(), request));
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
      sessions.put(new Id(database(session), begun), session);
    }
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
