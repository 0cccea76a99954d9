package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many clients at a time. */
class LoadTest {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  abstract static class Behaviour {

    private final int clients;
    private final int orders;

    Behaviour(int clients, int orders) {
      this.clients = clients;
      this.orders = orders;
    }

    @Test
    void everyOrderIsStoredUnderAnIdOfItsOwn(R2dbcDatabase database) {
      try (Service service = Service.patientlyOver(database)) {
        Load load = new Load(service.client());

        load.run(clients, orders).block(LIMIT);

        assertThat(load.unexpected).isEmpty();
        assertThat(load.unavailable).hasValue(0);
        assertThat(load.placed).hasSize(clients * orders);
        assertThat(load.stored().collectList().block(LIMIT))
            .containsExactlyInAnyOrderElementsOf(load.placed);
      }
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  @Tag("long")
  class H2 extends Behaviour {
    H2() {
      super(50, 4);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {
    PostgreSql() {
      super(50, 4);
    }
  }

  /** Fewer, for the emulator runs one transaction at a time. */
  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  @Tag("long")
  class Spanner extends Behaviour {
    Spanner() {
      super(50, 2);
    }
  }
}
