package io.millrace.test.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import com.google.spanner.v1.ResultSetMetadata;
import com.google.spanner.v1.RollbackRequest;
import com.google.spanner.v1.Session;
import com.google.spanner.v1.Transaction;
import com.google.spanner.v1.TransactionOptions;
import com.google.spanner.v1.TransactionSelector;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransactionSessionsTest {

  private static final String DATABASE = "projects/p/instances/i/databases/d";
  private static final String SHARED = DATABASE + "/sessions/shared";
  private static final TransactionOptions READ_WRITE =
      TransactionOptions.newBuilder()
          .setReadWrite(TransactionOptions.ReadWrite.getDefaultInstance())
          .build();
  private static final TransactionSelector BEGIN =
      TransactionSelector.newBuilder().setBegin(READ_WRITE).build();
  private static final ResultSetMetadata BEGUN =
      ResultSetMetadata.newBuilder().setTransaction(transaction("1")).build();

  private final List<String> created = new ArrayList<>();
  private final TransactionSessions sessions = new TransactionSessions(this::create);

  private CompletionStage<Session> create(CreateSessionRequest request) {
    String name = request.getDatabase() + "/sessions/" + created.size();
    created.add(name);
    return CompletableFuture.completedStage(Session.newBuilder().setName(name).build());
  }

  @BeforeEach
  void share() {
    share(SHARED);
  }

  private void share(String session) {
    sessions.answered(
        CreateSessionRequest.newBuilder()
            .setSession(Session.newBuilder().setMultiplexed(true))
            .build(),
        Session.newBuilder().setName(session).build());
  }

  private static Transaction transaction(String id) {
    return Transaction.newBuilder().setId(ByteString.copyFromUtf8(id)).build();
  }

  private static BeginTransactionRequest begin(String session) {
    return BeginTransactionRequest.newBuilder().setSession(session).setOptions(READ_WRITE).build();
  }

  private static CommitRequest commit(String session, String id) {
    return CommitRequest.newBuilder()
        .setSession(session)
        .setTransactionId(ByteString.copyFromUtf8(id))
        .build();
  }

  private Message route(Message request) {
    return sessions.route(request).toCompletableFuture().join();
  }

  private Message begins(Message request, Message answer) {
    Message sent = route(request);
    sessions.answered(sent, answer);
    sessions.ended(sent, Status.OK);
    return sent;
  }

  private void commits(String id) {
    begins(begin(SHARED), transaction(id));
    sessions.ended(route(commit(SHARED, id)), Status.OK);
  }

  static Stream<Arguments> requestsThatBegin() {
    return Stream.of(
        Arguments.of(begin(SHARED), transaction("1")),
        Arguments.of(
            ReadRequest.newBuilder().setSession(SHARED).setTransaction(BEGIN).build(),
            PartialResultSet.newBuilder().setMetadata(BEGUN).build()),
        Arguments.of(
            ExecuteSqlRequest.newBuilder().setSession(SHARED).setTransaction(BEGIN).build(),
            ResultSet.newBuilder().setMetadata(BEGUN).build()),
        Arguments.of(
            ExecuteBatchDmlRequest.newBuilder().setSession(SHARED).setTransaction(BEGIN).build(),
            ExecuteBatchDmlResponse.newBuilder()
                .addResultSets(ResultSet.newBuilder().setMetadata(BEGUN))
                .build()));
  }

  @ParameterizedTest
  @MethodSource("requestsThatBegin")
  void theRequestsOfATransactionGoToOneSessionThatNoOtherHas(Message request, Message answer) {
    Message first = begins(request, answer);
    TransactionSelector same =
        TransactionSelector.newBuilder().setId(ByteString.copyFromUtf8("1")).build();
    String own = created.get(0);

    assertThat(first)
        .isEqualTo(
            request.toBuilder()
                .setField(request.getDescriptorForType().findFieldByName("session"), own)
                .build());
    assertThat(route(ReadRequest.newBuilder().setSession(SHARED).setTransaction(same).build()))
        .isEqualTo(ReadRequest.newBuilder().setSession(own).setTransaction(same).build());
    assertThat(route(commit(SHARED, "1"))).isEqualTo(commit(own, "1"));
    assertThat(
            route(
                RollbackRequest.newBuilder()
                    .setSession(SHARED)
                    .setTransactionId(same.getId())
                    .build()))
        .isEqualTo(
            RollbackRequest.newBuilder().setSession(own).setTransactionId(same.getId()).build());
    assertThat(route(begin(SHARED))).isEqualTo(begin(created.get(1)));
    assertThat(created).hasSize(2).doesNotHaveDuplicates().doesNotContain(SHARED);
  }

  static Stream<Message> requestsOfNoTransaction() {
    TransactionSelector readOnly =
        TransactionSelector.newBuilder()
            .setBegin(
                TransactionOptions.newBuilder()
                    .setReadOnly(TransactionOptions.ReadOnly.getDefaultInstance()))
            .build();
    return Stream.of(
        ReadRequest.newBuilder().setSession(SHARED).build(),
        ReadRequest.newBuilder().setSession(SHARED).setTransaction(readOnly).build(),
        CommitRequest.newBuilder().setSession(SHARED).setSingleUseTransaction(READ_WRITE).build(),
        commit(SHARED, "unknown"),
        begin(DATABASE + "/sessions/of-a-pool"),
        CreateSessionRequest.newBuilder().setDatabase(DATABASE).build());
  }

  @ParameterizedTest
  @MethodSource("requestsOfNoTransaction")
  void everyOtherRequestStaysAsItIs(Message request) {
    assertThat(route(request)).isSameAs(request);
    assertThat(created).isEmpty();
  }

  @Test
  void transactionsOfTwoDatabasesMayHaveTheSameId() {
    String other = "projects/p/instances/i/databases/other/sessions/shared";
    share(other);
    begins(begin(SHARED), transaction("1"));
    begins(begin(other), transaction("1"));

    assertThat(route(commit(SHARED, "1"))).isEqualTo(commit(created.get(0), "1"));
    assertThat(route(commit(other, "1"))).isEqualTo(commit(created.get(1), "1"));
  }

  @Test
  void aCommitThatIsSentAgainGoesToTheSameSessionAlsoAfterOtherTransactions() {
    commits("first");
    commits("second");

    assertThat(route(commit(SHARED, "first"))).isEqualTo(commit(created.get(0), "first"));
  }

  @Test
  void theSessionsOfEndedTransactionsAreUsedAgain() {
    int transactions = 10_000;
    for (int i = 0; i < transactions; i++) {
      commits("" + i);
    }

    assertThat(created).hasSizeLessThan(transactions / 2);
    assertThat(route(commit(SHARED, "0")))
        .as("so old a transaction is forgotten")
        .isEqualTo(commit(SHARED, "0"));
  }

  @Test
  void aTransactionThatHasNotEndedKeepsItsSession() {
    begins(begin(SHARED), transaction("open"));
    for (int i = 0; i < 10_000; i++) {
      commits("" + i);
    }

    assertThat(route(commit(SHARED, "open"))).isEqualTo(commit(created.get(0), "open"));
  }

  @Test
  void anAbortedTransactionEndsAlthoughItIsNotCommitted() {
    int transactions = 10_000;
    for (int i = 0; i < transactions; i++) {
      begins(begin(SHARED), transaction("" + i));
      ReadRequest read =
          ReadRequest.newBuilder()
              .setSession(SHARED)
              .setTransaction(
                  TransactionSelector.newBuilder().setId(ByteString.copyFromUtf8("" + i)))
              .build();
      sessions.ended(route(read), Status.ABORTED);
    }

    assertThat(created).hasSizeLessThan(transactions / 2);
  }

  @Test
  void aSessionThatCannotBeCreatedFailsTheRequestThatNeededIt() {
    IllegalStateException refused = new IllegalStateException("no session");
    TransactionSessions failing =
        new TransactionSessions(any -> CompletableFuture.failedStage(refused));
    failing.answered(
        CreateSessionRequest.newBuilder()
            .setSession(Session.newBuilder().setMultiplexed(true))
            .build(),
        Session.newBuilder().setName(SHARED).build());

    assertThatThrownBy(() -> failing.route(begin(SHARED)).toCompletableFuture().join())
        .hasCause(refused);
  }
}
