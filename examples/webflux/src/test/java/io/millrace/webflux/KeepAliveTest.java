package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Requests one after the other on a connection that is kept alive. */
class KeepAliveTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ROUNDS = 40;

  @Test
  void everyRequestIsReadWhereverTheAnswersBeforeItCameFrom() throws IOException {
    try (Service service = Service.overH2();
        KeptConnection connection = new KeptConnection(service.port(), LIMIT)) {
      for (int round = 1; round <= ROUNDS; round++) {
        answers(connection, round, "/orders/42", 404); // from a thread of the database
        answers(connection, round, "/orders/many", 400); // on the event loop
        answers(connection, round, "/orders?limit=0", 400);
      }
    }
  }

  private static void answers(KeptConnection connection, int round, String path, int status) {
    try {
      assertThat(connection.get(path)).as("GET %s in round %d", path, round).isEqualTo(status);
    } catch (IOException failure) {
      fail("GET %s in round %d was not answered".formatted(path, round), failure);
    }
  }
}
