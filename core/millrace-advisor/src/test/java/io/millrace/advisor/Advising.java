package io.millrace.advisor;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import java.util.List;

/** Advises on statements, which the parser has to read as the database does. */
final class Advising {

  private Advising() {}

  static Advice on(SpannerEmulator emulator, Dialect dialect, String... ddl) {
    try (EmulatorDatabase database = emulator.createDatabase(dialect, ddl)) {
      Described.assertSame(Described.parsed(dialect, List.of(ddl)), database);
      return of(database).advice();
    }
  }

  static SchemaAdvisor of(EmulatorDatabase database) {
    return SpannerAdvisor.ofEmulator(database.client(), database.ddl());
  }
}
