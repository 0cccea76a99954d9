package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequences;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.Inserts;
import io.millrace.test.contract.ContractRow;
import io.millrace.test.contract.NumbersByNameContract;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;

@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class NumbersByNameTest extends NumbersByNameContract<Connection> {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Parameter R2dbcDatabase database;
  private ContractRows rows;
  private R2dbcSequenceStore store;

  @BeforeParameterizedClassInvocation
  void connect() {
    rows = ContractRows.create(database);
    store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().block(LIMIT);
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected Inserts<ContractRow, Connection, ?> inserts(String table) {
    return rows.inserts(table);
  }

  @Override
  protected TransactionalSequences<Connection> transactionals(boolean another) {
    return (another ? R2dbcSequenceStore.create(database.pooled()) : store).transactionals();
  }

  @Override
  protected List<ContractRow> stored(String table) {
    return rows.stored(table);
  }

  /** Short enough for the table's column. */
  @Override
  protected String newName(String hint) {
    return "n-" + UUID.randomUUID() + "-" + hint;
  }

  @Test
  void eachCounterOfAGroupIsMovedByOneUpdateInOneTransaction() {
    String prefix = newName("");
    R2dbcInserts<ContractRow> inserts =
        rows.inserts("facts")
            .numbered(
                store.transactionals().createMissing(1),
                ContractRow::stream,
                (row, number) -> new ContractRow(row.stream(), number, row.note()))
            .groupSize(64);
    Flux<ContractRow> streams =
        Flux.fromStream(
            () -> IntStream.range(0, 64).mapToObj(i -> new ContractRow(prefix + i, 0, "e")));
    streams.transform(inserts.rows()).blockLast(LIMIT);
    rows.watched().clear();
    assertThat(streams.transform(inserts.outcomes()).collectList().block(LIMIT))
        .hasSize(64)
        .hasOnlyElementsOfType(Committed.class);
    assertThat(rows.watched().statements()).filteredOn(sql -> sql.contains("UPDATE ")).hasSize(64);
    assertThat(rows.watched().log()).filteredOn("commit"::equals).hasSize(1);
  }
}
