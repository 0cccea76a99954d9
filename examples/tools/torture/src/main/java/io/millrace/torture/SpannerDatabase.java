package io.millrace.torture;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An emulator of Spanner that the parent found or started, with a database for each mode. */
final class SpannerDatabase extends Database {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final SpannerEmulator emulator;
  private final Map<Mode, EmulatorDatabase> databases = new EnumMap<>(Mode.class);
  private final SpannerAccess access;

  private SpannerDatabase(SpannerEmulator emulator) {
    this.emulator = emulator;
    Map<Mode, DatabaseId> ids = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.values()) {
      EmulatorDatabase database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
      databases.put(mode, database);
      ids.put(mode, database.id());
      database.update(
          mode == Mode.NATIVE
              ? "CREATE SEQUENCE " + mode.sequence() + " BIT_REVERSED_POSITIVE"
              : SpannerSequenceStore.create(database.client())
                  .createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    }
    this.access = new SpannerAccess(emulator.spanner(), ids, false);
    for (Mode mode : Mode.values()) {
      access.store(mode).create(mode.sequence(), 1).block(LIMIT);
    }
    Stream.of(Mode.values())
        .filter(Mode::insertsRows)
        .forEach(
            mode ->
                database(mode)
                    .update(
                        String.format(
                            "CREATE TABLE %1$s (%2$s INT64, %3$s INT64, CHECK (%2$s >= 0))"
                                + " PRIMARY KEY (%2$s)",
                            mode.table(), Access.SOURCE, Access.NUMBER)));
  }

  private EmulatorDatabase database(Mode mode) {
    EmulatorDatabase database = databases.get(mode);
    if (database == null) {
      throw new IllegalStateException("no database for " + mode);
    }
    return database;
  }

  static SpannerDatabase start() {
    return new SpannerDatabase(
        SpannerEmulator.find()
            .orElseThrow(() -> new IllegalStateException(SpannerEmulator.HOW_TO_GET)));
  }

  @Override
  String description() {
    return emulator.toString();
  }

  @Override
  List<Mode> modes() {
    return List.of(Mode.values());
  }

  @Override
  String server() {
    return emulator.host();
  }

  @Override
  String address(int port) {
    String names =
        databases.values().stream()
            .map(database -> database.id().getName())
            .collect(Collectors.joining(","));
    return "spanner " + port + " " + names;
  }

  @Override
  Access access() {
    return access;
  }

  @Override
  public void close() {
    databases.values().forEach(EmulatorDatabase::close);
  }
}
