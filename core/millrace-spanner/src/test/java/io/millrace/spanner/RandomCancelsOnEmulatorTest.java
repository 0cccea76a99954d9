package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a pool of sessions, each of which is one transaction's at a time. */
@SpannerTest(
    ddl = {
      "CREATE TABLE Things (Id INT64 NOT NULL, Label STRING(MAX)) PRIMARY KEY (Id)",
      "CREATE TABLE sequences (name STRING(128), next_value INT64 NOT NULL) PRIMARY KEY (name)",
      "CREATE SEQUENCE reversed OPTIONS (sequence_kind = 'bit_reversed_positive')"
    })
class RandomCancelsOnEmulatorTest extends RandomCancels {

  private Spanner spanner;
  private CountedManagers managers;

  @BeforeEach
  void connect(EmulatorDatabase database) {
    spanner = database.emulator().connect(SESSIONS);
    DatabaseClient client = warm(spanner.getDatabaseClient(database.id()));
    client.write(List.of(insertOrUpdate(1), sequence()));
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
  void nativeReservationsCancelledAtAnyMomentReturnEverySession() throws Exception {
    NativeSequenceStore store = NativeSequenceStore.create(managers.client());
    cancelAtRandom("native reservations", 100, () -> store.reserve("reversed", 10));
    assertThat(store.reserve("reversed", 1).block(LIMIT)).isNotNull();
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
