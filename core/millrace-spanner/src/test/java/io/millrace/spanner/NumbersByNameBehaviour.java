package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ReadRequest;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequences;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.Inserts;
import io.millrace.test.contract.ContractRow;
import io.millrace.test.contract.NumbersByNameContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;

/** Rows whose sequences are chosen by the rows, and the requests that they take. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NumbersByNameBehaviour extends NumbersByNameContract<SpannerTransaction> {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private EmulatorDatabase database;
  private SpannerSequenceStore store;
  private Wire wire;

  @BeforeAll
  void createTables(EmulatorDatabase created) {
    database = created;
    created.update(SpannerSequenceStore.create(created.client()).createTableDdl(created.dialect()));
    ContractRows.createTables(created);
  }

  @BeforeEach
  void open() {
    wire = new Wire(database);
    store = SpannerSequenceStore.create(database.client());
  }

  @AfterEach
  void nothingIsKeptForAName() {
    wire.close();
    assertThat(store.countersInUse()).isZero();
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected Inserts<ContractRow, SpannerTransaction, ?> inserts(String table) {
    return ContractRows.inserts(wire.client(), table);
  }

  @Override
  protected TransactionalSequences<SpannerTransaction> transactionals(boolean another) {
    return (another ? SpannerSequenceStore.create(database.client()) : store).transactionals();
  }

  @Override
  protected List<ContractRow> stored(String table) {
    return ContractRows.stored(database.client(), table);
  }

  private List<Object> kinds(
      TransactionalSequences<SpannerTransaction> sequences, IntFunction<String> name) {
    return Flux.range(0, 64)
        .map(i -> new ContractRow(name.apply(i), 0, "e" + i))
        .transform(
            ContractRows.inserts(wire.client(), "facts")
                .numbered(
                    sequences,
                    row -> String.valueOf(row.stream()),
                    (row, number) -> new ContractRow(row.stream(), number, row.note()))
                .groupSize(64)
                .ordered()
                .outcomes())
        .<Object>map(Object::getClass)
        .collectList()
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  @Test
  void aGroupOfManyNamesTakesOneReadAndOneCommit() {
    String prefix = newName("");
    assertThat(kinds(store.transactionals().createMissing(1), i -> prefix + i % 37))
        .containsOnly(Committed.class);
    assertThat(wire.requests(ReadRequest.class))
        .singleElement()
        .satisfies(read -> assertThat(read.getKeySet().getKeysCount()).isEqualTo(37));
    assertThat(wire.requests(CommitRequest.class)).hasSize(1);
  }

  @Test
  void namesThatAreMissingCostOneTransactionMoreHoweverManyTheyAre() {
    String prefix = newName("");
    store.create(prefix + "good", 1).block(LIMIT);
    assertThat(kinds(store.transactionals(), i -> prefix + (i % 2 == 0 ? "good" : "missing " + i)))
        .hasSize(64)
        .startsWith(Committed.class, Rejected.class);
    assertThat(wire.requests(ReadRequest.class)).hasSize(2);
    assertThat(wire.requests(CommitRequest.class)).hasSize(1);
  }

  @Test
  void aCounterThatATransactionHasReadIsNotReadAgain() {
    String name = newName("a");
    store.create(name, 1).block(LIMIT);
    Map<String, List<Long>> taken =
        SpannerTransactions.readWrite(
                wire.client(),
                tx ->
                    store
                        .transactional(name)
                        .next(tx)
                        .then(
                            store
                                .transactionals()
                                .createMissing(5)
                                .next(tx, Map.of(name, 2, name + "-b", 1))))
            .blockOptional(LIMIT)
            .orElseThrow();
    assertThat(taken).isEqualTo(Map.of(name, List.of(2L, 3L), name + "-b", List.of(5L)));
    assertThat(wire.requests(ReadRequest.class))
        .extracting(read -> read.getKeySet().getKeysCount())
        .containsExactly(1, 1);
  }
}
