package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequences;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.Inserts;
import io.millrace.test.contract.ContractRow;
import io.millrace.test.contract.LostAnswersContract;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** {@link R2dbcInsertsTest} has what takes effect between a look-up and the next transaction. */
@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class LostAnswersTest extends LostAnswersContract<Connection> {

  private static final Throwable LOST = new R2dbcNonTransientResourceException("connection reset");

  @Parameter R2dbcDatabase database;
  private ContractRows rows;
  private R2dbcSequenceStore store;

  @BeforeParameterizedClassInvocation
  void connect() {
    rows = ContractRows.create(database);
    store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().block(Duration.ofMinutes(1));
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected Inserts<ContractRow, Connection, ?> inserts(String table) {
    return rows.inserts(table)
        .key(table.equals("notes") ? new String[] {"note"} : ContractRows.KEY);
  }

  @Override
  protected TransactionalSequences<Connection> transactionals(boolean another) {
    return store.transactionals();
  }

  @Override
  protected List<ContractRow> stored(String table) {
    return rows.stored(table);
  }

  @Override
  protected void loseNextCommit(boolean applied) {
    if (applied) {
      rows.watched().loseAnswer("commit"::equals, LOST);
    } else {
      rows.watched().refuse("commit"::equals, LOST);
    }
  }

  /** Short enough for the table's column. */
  @Override
  protected String newName(String hint) {
    return "l-" + UUID.randomUUID() + "-" + hint;
  }
}
