package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ReadRequest;
import io.grpc.Status;
import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.test.contract.CounterTableContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** What the store does on each kind of database, beyond the contract of all stores. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpannerSequenceStoreBehaviour extends CounterTableContract {

  private EmulatorDatabase database;
  private Wire wire;
  private SpannerSequenceStore store;
  private String name = "";

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
    wire = new Wire(created);
    store = SpannerSequenceStore.create(wire.client());
    createTable(store);
  }

  @AfterAll
  void disconnect() {
    wire.close();
  }

  @BeforeEach
  void create() {
    name = "invoice_" + UUID.randomUUID();
    done(store.create(name, 1));
    wire.clear();
  }

  private void createTable(SpannerSequenceStore of) {
    try (DatabaseAdminClient admin = database.spanner().createDatabaseAdminClient()) {
      done(of.createTable(admin, database.id()));
    }
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected int requests() {
    return wire.calls().size();
  }

  @Test
  void aReservationIsTwoRequests() {
    gives(store.reserve(name, 10), SequenceBlock.of(1, 10));
    assertThat(wire.calls()).containsExactly("StreamingRead", "Commit");
    gives(store.reserve(name, 5), SequenceBlock.of(11, 5));
    assertThat(wire.calls()).containsExactly("StreamingRead", "Commit", "StreamingRead", "Commit");
    CommitRequest commit = wire.requests(CommitRequest.class).get(0);
    assertThat(commit.getMutationsList()).hasSize(1);
  }

  @Test
  void theReadLocksTheRowAndBeginsTheTransaction() {
    done(store.reserve(name, 1));
    ReadRequest read = wire.requests(ReadRequest.class).get(0);
    assertThat(read.getLockHint()).isEqualTo(ReadRequest.LockHint.LOCK_HINT_EXCLUSIVE);
    assertThat(read.getTransaction().getBegin().hasReadWrite()).isTrue();
  }

  @Test
  void tagsRequestsWithTheNameOfTheSequence() {
    String odd = "Rechnung Nr. ü " + "x".repeat(40);
    done(store.create(odd, 1));
    wire.clear();
    done(store.reserve(odd, 1));
    String tag = wire.requests(CommitRequest.class).get(0).getRequestOptions().getTransactionTag();
    assertThat(tag).startsWith("sequence=Rechnung_Nr._").hasSize(50).matches("[!-~]+");
    assertThat(wire.requests(ReadRequest.class).get(0).getRequestOptions())
        .satisfies(
            options -> {
              assertThat(options.getRequestTag()).isEqualTo(tag);
              assertThat(options.getTransactionTag()).isEqualTo(tag);
            });
  }

  @Test
  void aCreationWhoseAnswerIsLostIsSentAgain() {
    String fresh = "fresh_" + UUID.randomUUID();
    wire.answerCommitWith(Status.UNKNOWN);
    done(store.create(fresh, 7));
    gives(store.state(fresh), new SequenceState(fresh, 7));
  }

  @Test
  void aCreationIsSentThreeTimesAtMost() {
    String fresh = "fresh_" + UUID.randomUUID();
    for (int i = 0; i < 3; i++) {
      wire.answerCommitWith(Status.UNKNOWN.withDescription("lost"));
    }
    fails(store.create(fresh, 7), CommitOutcomeUnknownException.class, "lost");
    assertThat(wire.requests(CommitRequest.class)).hasSize(3);
  }

  @Test
  void aMissingTableSaysWhatToRun() {
    SpannerSequenceStore nowhere =
        SpannerSequenceStore.builder(wire.client()).table("nowhere").build();
    String ddl = nowhere.createTableDdl(database.dialect());
    fails(nowhere.reserve(name, 1), SequenceNotFoundException.class, ddl, "INSERT INTO");
    fails(nowhere.state(name), SequenceNotFoundException.class, ddl);
    fails(nowhere.create(name, 1), SequenceNotFoundException.class, ddl);
    fails(
        SpannerTransactions.readWrite(wire.client(), nowhere.transactional(name)::next),
        SequenceNotFoundException.class,
        ddl);
  }

  @Test
  void aMissingDatabaseOrColumnIsRefusedForGood() {
    fails(
        SpannerSequenceStore.builder(wire.client()).valueColumn("nothing").build().reserve(name, 1),
        SequenceStoreException.class,
        "nothing");
    DatabaseClient absent =
        database
            .spanner()
            .getDatabaseClient(DatabaseId.of(database.id().getInstanceId(), "absent"));
    fails(SpannerSequenceStore.create(absent).reserve(name, 1), SequenceStoreException.class);
  }

  @Test
  void aPermissionThatLacksIsPermanentAndAnOutageIsNot() {
    wire.answerCommitWith(Status.PERMISSION_DENIED.withDescription("not you"));
    fails(store.reserve(name, 1), SequenceStoreException.class, "not you");
    wire.answerCommitWith(Status.RESOURCE_EXHAUSTED.withDescription("busy"));
    done(store.reserve(name, 1)); // the client itself sends such a commit again
  }

  @Test
  void reservesAfreshAfterALostAnswer() {
    wire.answerCommitWith(Status.UNKNOWN.withDescription("lost"));
    fails(store.reserve(name, 10), CommitOutcomeUnknownException.class, "lost");
    gives(store.reserve(name, 10), SequenceBlock.of(11, 10));
  }

  @Test
  void severalProcessesMayCreateTheTableAtOnce() {
    SpannerSequenceStore fresh =
        SpannerSequenceStore.builder(database.client()).table("CreatedAtOnce").build();
    try (DatabaseAdminClient admin = database.spanner().createDatabaseAdminClient()) {
      done(
          Flux.range(0, 8)
              .flatMap(
                  i -> fresh.createTable(admin, database.id()).subscribeOn(Schedulers.parallel()))
              .then());
    }
    done(fresh.create("s", 1));
  }

  @Test
  void reservedWordsAndSchemasServeAsNames() {
    SpannerSequenceStore words =
        SpannerSequenceStore.builder(wire.client())
            .table("Select")
            .nameColumn("Order")
            .valueColumn("From")
            .nameLength(3)
            .build();
    createTable(words);
    done(words.create("abc", 5));
    gives(words.reserve("abc", 2), SequenceBlock.of(5, 2));
    fails(words.create("abcd", 5), IllegalArgumentException.class, "abcd", "3");

    database.update("CREATE SCHEMA counters");
    SpannerSequenceStore elsewhere =
        SpannerSequenceStore.builder(wire.client()).table("counters.sequences").build();
    createTable(elsewhere);
    done(elsewhere.create(name, 70));
    gives(elsewhere.reserve(name, 1), SequenceBlock.of(70, 1));
    gives(store.reserve(name, 1), SequenceBlock.of(1, 1));
  }

  @Test
  void aCounterInAColumnOfAnotherTypeIsRefusedAndStays() {
    database.update(
        database.dialect() == Dialect.POSTGRESQL
            ? "CREATE TABLE texts (name varchar(64) PRIMARY KEY, next_value varchar(40))"
            : "CREATE TABLE texts (name STRING(64), next_value STRING(40)) PRIMARY KEY (name)");
    database
        .client()
        .write(
            List.of(
                Mutation.newInsertBuilder("texts")
                    .set("name")
                    .to(name)
                    .set("next_value")
                    .to("9223372036854775808")
                    .build()));
    SpannerSequenceStore texts =
        SpannerSequenceStore.builder(database.client()).table("texts").build();
    String[] parts = {"9223372036854775808", "column next_value", "table texts"};
    fails(texts.state(name), SequenceStoreException.class, parts);
    fails(texts.advanceTo(name, 5), SequenceStoreException.class, parts);
    fails(texts.reserve(name, 5), SequenceStoreException.class, parts);
    fails(texts.state(name), SequenceStoreException.class, parts);
  }
}
