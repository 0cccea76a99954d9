package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a pool of sessions, each of which is one transaction's at a time. */
@SpannerTest(
    ddl = {
      "CREATE TABLE Things (Id INT64 NOT NULL, Label STRING(MAX)) PRIMARY KEY (Id)",
      "CREATE TABLE Log (Shard INT64, Id INT64) PRIMARY KEY (Shard, Id)",
      "CREATE TABLE sequences (name STRING(128), next_value INT64 NOT NULL) PRIMARY KEY (name)",
      "CREATE SEQUENCE reversed OPTIONS (sequence_kind = 'bit_reversed_positive')"
    })
class RandomCancelsOnEmulatorTest extends RandomCancels {

  private Spanner spanner;
  private CountedManagers managers;

  @BeforeEach
  void connect(EmulatorDatabase database) {
    spanner = database.emulator().connect(SESSIONS, false);
    DatabaseClient client = warm(spanner.getDatabaseClient(database.id()));
    List<Mutation> rows = new ArrayList<>(List.of(insertOrUpdate(1), sequence()));
    for (int i = 0; i < 60; i++) {
      rows.add(
          Mutation.newInsertOrUpdateBuilder("Log").set("Shard").to(i % 6).set("Id").to(i).build());
    }
    client.write(rows);
    managers = new CountedManagers(client);
  }

  private static Mutation sequence() {
    return Mutation.newInsertOrUpdateBuilder("sequences")
        .set("name")
        .to("orders")
        .set("next_value")
        .to(1)
        .build();
  }

  @Test
  void nativeReservationsCancelledAtAnyMomentGiveEverySessionBack() throws Exception {
    NativeSequenceStore store = NativeSequenceStore.create(managers.client());
    cancelAtRandom("native reservations", 100, () -> store.reserve("reversed", 10));
    assertThat(store.reserve("reversed", 1).block(LIMIT)).isNotNull();
  }

  /**
   * With more sessions than reads: each of the client's 8 threads for streams may wait for one, and
   * then none is left to serve the streams that have one.
   */
  @Test
  void scatterReadsCancelledAtAnyMomentGiveEverySessionBack(EmulatorDatabase database)
      throws Exception {
    int sessions = 40;
    try (Spanner many = database.emulator().connect(sessions, true)) {
      DatabaseClient client = warm(many.getDatabaseClient(database.id()));
      managers = new CountedManagers(client);
      RangeScatter scatter = scatter();
      cancelAtRandom(
          "scatter reads", 100, 10, scatter::rows, () -> everySessionReads(client, sessions));
      assertThat(scatter.rows().count().block(LIMIT)).isEqualTo(60);
    }
  }

  /** Reads in as many transactions at once as there are sessions. */
  private static void everySessionReads(DatabaseClient client, int sessions) {
    List<ReadOnlyTransaction> open = new ArrayList<>();
    try {
      for (int i = 0; i < sessions; i++) {
        ReadOnlyTransaction transaction = client.readOnlyTransaction();
        open.add(transaction);
        try (ResultSet rows = transaction.executeQuery(QUERY)) {
          assertThat(rows.next()).isTrue();
        }
      }
    } finally {
      open.forEach(ReadOnlyTransaction::close);
    }
  }

  @AfterEach
  void disconnect() {
    spanner.close();
  }

  @Override
  CountedManagers managers() {
    return managers;
  }
}
