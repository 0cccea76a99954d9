package io.millrace.spanner;

import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.grpc.Status;
import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;

/** The contract of all stores, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpannerStoreContract extends SequenceStoreContract {

  private SpannerSequenceStore store;
  private SpannerSequenceStore another;
  private Wire wire;

  @BeforeAll
  void connect(EmulatorDatabase database) {
    store = SpannerSequenceStore.create(database.client());
    wire = new Wire(database);
    another = SpannerSequenceStore.create(wire.client());
    try (DatabaseAdminClient admin = database.spanner().createDatabaseAdminClient()) {
      store.createTable(admin, database.id()).block();
    }
  }

  @AfterAll
  void disconnect() {
    wire.close();
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected SequenceStore anotherStore() {
    return another;
  }

  /** Short enough for the table's column. */
  @Override
  protected String newName(String hint) {
    return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
  }

  @Override
  protected @Nullable SequenceStore storeThatLosesNextReleaseAnswer(Mono<?> meanwhile) {
    return new DelegatingSequenceStore(another) {
      /**
       * The server applies the commit, other transactions follow, and then the client receives a
       * failure.
       */
      @Override
      public Mono<Boolean> release(String sequence, SequenceBlock tail) {
        return Mono.defer(
                () -> {
                  wire.answerCommitWith(Status.UNKNOWN.withDescription("connection reset"));
                  return super.release(sequence, tail);
                })
            .onErrorResume(lost -> meanwhile.then(Mono.error(lost)));
      }
    };
  }
}
