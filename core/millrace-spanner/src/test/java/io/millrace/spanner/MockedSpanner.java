package io.millrace.spanner;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.MockSpannerServiceImpl;
import com.google.cloud.spanner.MockSpannerServiceImpl.SimulatedExecutionTime;
import com.google.cloud.spanner.MockSpannerServiceImpl.StatementResult;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.Statement;
import com.google.protobuf.AbstractMessage;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.CreateSessionRequest;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.ReadRequest;
import com.google.spanner.v1.ResultSet;
import com.google.spanner.v1.ResultSetMetadata;
import com.google.spanner.v1.RollbackRequest;
import com.google.spanner.v1.StructType;
import com.google.spanner.v1.StructType.Field;
import com.google.spanner.v1.Type;
import com.google.spanner.v1.TypeCode;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The mock of a Spanner server that comes with the client, on a port of its own, and a client of it
 * with the sessions that users get: multiplexed ones, for read-write transactions too.
 */
final class MockedSpanner implements AutoCloseable {

  /** What a transaction sends. */
  private static final Set<Class<? extends AbstractMessage>> OF_TRANSACTIONS =
      Set.of(
          ReadRequest.class,
          ExecuteSqlRequest.class,
          BeginTransactionRequest.class,
          CommitRequest.class,
          RollbackRequest.class);

  private final MockSpannerServiceImpl service = new MockSpannerServiceImpl();
  private final Server server;
  private final Spanner spanner;

  MockedSpanner() {
    service.setAbortProbability(0);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(loopback, 0))
              .addService(service)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    spanner =
        SpannerOptions.newBuilder()
            .setProjectId("p")
            .setEmulatorHost(null) // overrides the environment
            .setHost("http://" + loopback.getHostAddress() + ":" + server.getPort())
            .setChannelConfigurator(ManagedChannelBuilder::usePlaintext)
            .setCredentials(NoCredentials.getInstance())
            .build()
            .getService();
  }

  /** The client. The first call of this method requests its first session. */
  DatabaseClient client() {
    return spanner.getDatabaseClient(DatabaseId.of("p", "i", "d"));
  }

  /** The mock, which tests make fail, abort or wait. */
  MockSpannerServiceImpl service() {
    return service;
  }

  /** A row of one number, for any key of the table. */
  void hasRow(String table, String column, long value) {
    service.putStatementResult(
        StatementResult.read(
            table, KeySet.singleKey(Key.of()), List.of(column), number(column, value)));
  }

  void answers(Statement query, long value) {
    service.putStatementResult(StatementResult.query(query, number("", value)));
  }

  void updates(Statement dml, long rows) {
    service.putStatementResult(StatementResult.update(dml, rows));
  }

  void refuses(Statement query, Status status) {
    service.putStatementResult(StatementResult.exception(query, status.asRuntimeException()));
  }

  /** Answers the next commit with this status, without applying it. */
  void failsCommit(Status status) {
    service.setCommitExecutionTime(SimulatedExecutionTime.ofException(status.asRuntimeException()));
  }

  void refusesSessions(Status status) {
    service.setCreateSessionExecutionTime(
        SimulatedExecutionTime.ofStickyException(status.asRuntimeException()));
  }

  private static ResultSet number(String column, long value) {
    Type type = Type.newBuilder().setCode(TypeCode.INT64).build();
    return ResultSet.newBuilder()
        .setMetadata(
            ResultSetMetadata.newBuilder()
                .setRowType(
                    StructType.newBuilder()
                        .addFields(Field.newBuilder().setName(column).setType(type))))
        .addRows(
            ListValue.newBuilder()
                .addValues(Value.newBuilder().setStringValue(String.valueOf(value))))
        .build();
  }

  /** The requests of transactions so far. */
  List<AbstractMessage> requests() {
    return service.getRequests().stream()
        .filter(request -> OF_TRANSACTIONS.contains(request.getClass()))
        .toList();
  }

  List<Class<?>> requestTypes() {
    return requests().stream().<Class<?>>map(AbstractMessage::getClass).toList();
  }

  /** The same, each once in a row: the client may send a statement that is refused twice. */
  List<Class<?>> differentRequestTypes() {
    List<Class<?>> types = new ArrayList<>();
    for (Class<?> type : requestTypes()) {
      if (types.isEmpty() || types.get(types.size() - 1) != type) {
        types.add(type);
      }
    }
    return types;
  }

  <M extends AbstractMessage> List<M> requests(Class<M> type) {
    return service.getRequestsOfType(type);
  }

  List<CreateSessionRequest> sessionsAskedFor() {
    return requests(CreateSessionRequest.class);
  }

  /** The names of the sessions that the requests of transactions went to. */
  List<String> sessionsUsed() {
    return requests().stream()
        .map(
            request -> {
              FieldDescriptor session = request.getDescriptorForType().findFieldByName("session");
              return String.valueOf(request.getField(session));
            })
        .distinct()
        .toList();
  }

  /** The ids of the transactions that were begun, oldest first. */
  List<ByteString> begun() {
    return service.getTransactionsStarted();
  }

  @Override
  public void close() {
    service.unfreeze();
    spanner.close();
    server.shutdownNow();
  }
}
