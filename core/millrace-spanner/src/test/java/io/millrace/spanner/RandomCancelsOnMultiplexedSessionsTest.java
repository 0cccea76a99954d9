package io.millrace.spanner;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** On the one session that all transactions share, of a mocked server. */
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS",
    matches = "(?i)false")
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
    matches = "(?i)false")
class RandomCancelsOnMultiplexedSessionsTest extends RandomCancels {

  private final MockedSpanner server = new MockedSpanner();
  private final CountedManagers managers;

  RandomCancelsOnMultiplexedSessionsTest() {
    server.hasRow("Things", "Label", 7);
    server.answers(QUERY, 1);
    server.updates(DML, 1);
    server.hasRow("sequences", "next_value", 1);
    SpannerTransactions.readWrite(server.client(), tx -> tx.query(QUERY).then()).block(LIMIT);
    managers = new CountedManagers(server.client());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  CountedManagers managers() {
    return managers;
  }
}
