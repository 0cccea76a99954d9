package io.millrace.test.emulator;

import com.google.protobuf.ByteString;
import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.CreateSessionRequest;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.Session;
import com.google.spanner.v1.SpannerGrpc;
import com.google.spanner.v1.SpannerGrpc.SpannerBlockingStub;
import com.google.spanner.v1.TransactionOptions;
import com.google.spanner.v1.TransactionSelector;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Tries what an emulator does with two read-write transactions on one multiplexed session. */
final class SharedSession {

  /** How emulators before 1.5.38 answer a transaction that they have lost. */
  private static final Set<Status.Code> LOST =
      Set.of(Status.Code.NOT_FOUND, Status.Code.FAILED_PRECONDITION, Status.Code.INVALID_ARGUMENT);

  private static final int LIMIT_SECONDS = 20;

  private SharedSession() {}

  /** Whether the emulator loses a transaction because of another one on the same session. */
  static boolean losesTransactions(String emulator, String database) {
    ManagedChannel channel = ManagedChannelBuilder.forTarget(emulator).usePlaintext().build();
    try {
      SpannerBlockingStub spanner =
          SpannerGrpc.newBlockingStub(channel).withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS);
      String session =
          spanner
              .createSession(
                  CreateSessionRequest.newBuilder()
                      .setDatabase(database)
                      .setSession(Session.newBuilder().setMultiplexed(true))
                      .build())
              .getName();
      ByteString first = begin(spanner, session);
      ByteString second = begin(spanner, session);
      // What loses a transaction is a request of a later one.
      return isRefused(spanner, session, second) || isRefused(spanner, session, first);
    } finally {
      channel.shutdownNow();
    }
  }

  private static ByteString begin(SpannerBlockingStub spanner, String session) {
    return spanner
        .beginTransaction(
            BeginTransactionRequest.newBuilder()
                .setSession(session)
                .setOptions(
                    TransactionOptions.newBuilder()
                        .setReadWrite(TransactionOptions.ReadWrite.getDefaultInstance()))
                .build())
        .getId();
  }

  private static boolean isRefused(SpannerBlockingStub spanner, String session, ByteString id) {
    try {
      spanner.executeSql(
          ExecuteSqlRequest.newBuilder()
              .setSession(session)
              .setTransaction(TransactionSelector.newBuilder().setId(id))
              .setSql("SELECT 1")
              .build());
      return false;
    } catch (StatusRuntimeException refused) {
      return LOST.contains(refused.getStatus().getCode());
    }
  }
}
