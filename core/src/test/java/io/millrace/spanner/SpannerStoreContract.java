package io.millrace.spanner;

import io.grpc.Status;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.contract.SequenceStoreContract;
import io.millrace.emulator.EmulatorDatabase;
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
    database.update(store.createTableDdl(database.dialect()));
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
    return new LosingStore(another, wire, meanwhile);
  }

  /** The server applies a release, others go on, and then the client learns of a failure. */
  private record LosingStore(SequenceStore store, Wire wire, Mono<?> meanwhile)
      implements SequenceStore {

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      return Mono.defer(
              () -> {
                wire.answerCommitWith(Status.UNKNOWN.withDescription("connection reset"));
                return store.release(sequence, tail);
              })
          .onErrorResume(lost -> meanwhile.then(Mono.error(lost)));
    }

    @Override
    public Mono<SequenceBlock> reserve(String sequence, long size) {
      return store.reserve(sequence, size);
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return store.create(sequence, startValue);
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return store.state(sequence);
    }

    @Override
    public boolean isOrdered() {
      return store.isOrdered();
    }

    @Override
    public boolean isReleasable() {
      return store.isReleasable();
    }
  }
}
