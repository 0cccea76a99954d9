package io.millrace.spanner;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** The contract of all stores, over Spanner's own sequences, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NativeStoreContract extends SequenceStoreContract {

  /** Two queries of PostgreSQL at a time take the emulator's schema from each other. */
  private static final Retry EMULATOR_WITHOUT_SCHEMA =
      Retry.backoff(30, Duration.ofMillis(5))
          .filter(failure -> String.valueOf(failure).contains("access to the schema"));

  private final Set<String> created = ConcurrentHashMap.newKeySet();
  private SequenceStore store;
  private SequenceStore another;
  private Wire wire;

  /** Creates the sequences of the contract with SQL. */
  private final class CreatingStore extends DelegatingSequenceStore {

    private final EmulatorDatabase database;

    CreatingStore(SequenceStore store, EmulatorDatabase database) {
      super(store);
      this.database = database;
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return request.orCreate(this, super.reserve(request)).retryWhen(EMULATOR_WITHOUT_SCHEMA);
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return Mono.<Void>fromRunnable(
              () -> {
                SequenceState.starting(sequence, startValue);
                createOnce(sequence);
              })
          .subscribeOn(Schedulers.boundedElastic())
          .then(super.create(sequence, startValue).retryWhen(EMULATOR_WITHOUT_SCHEMA));
    }

    private void createOnce(String sequence) {
      synchronized (created) {
        if (created.add(sequence)) {
          database.update(new NativeQueries(sequence, database.dialect()).create());
        }
      }
    }
  }

  @BeforeAll
  void connect(EmulatorDatabase database) {
    wire = new Wire(database);
    store = new CreatingStore(NativeSequenceStore.create(database.client()), database);
    another = new CreatingStore(NativeSequenceStore.create(wire.client()), database);
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

  /** The name is one of a schema's objects. */
  @Override
  protected String newName(String hint) {
    return "c_" + UUID.randomUUID().toString().replace("-", "") + "_" + hint;
  }

  @Override
  protected boolean takesAnyName() {
    return false;
  }
}
