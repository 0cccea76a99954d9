package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Spanner;
import io.millrace.emulator.EmulatorDatabase;
import io.millrace.emulator.SpannerTest;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** On a pool of sessions, each of which is one transaction's at a time. */
@SpannerTest(ddl = "CREATE TABLE Things (Id INT64 NOT NULL, Label STRING(MAX)) PRIMARY KEY (Id)")
class RandomCancelsOnEmulatorTest extends RandomCancels {

  private Spanner spanner;
  private CountedManagers managers;

  @BeforeEach
  void connect(EmulatorDatabase database) {
    spanner = database.emulator().connect(SESSIONS, UnaryOperator.identity());
    DatabaseClient client = warm(spanner.getDatabaseClient(database.id()));
    client.write(List.of(insertOrUpdate(1)));
    managers = new CountedManagers(client);
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
