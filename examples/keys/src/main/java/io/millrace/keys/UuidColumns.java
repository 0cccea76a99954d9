package io.millrace.keys;

import com.google.cloud.ByteArray;
import com.google.cloud.spanner.Mutation;
import io.millrace.key.CompositeKey;
import io.millrace.key.UuidLayout;
import io.millrace.key.UuidLongs;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.TableDdlBuilder;
import java.util.UUID;

/** The three ways to store a UUID in a primary key. */
enum UuidColumns {

  /** {@code STRING(36)}: 36 bytes of readable text. */
  STRING(CompositeKey.<UUID>builder().part("AccessId", UuidLayout.STRING).build()) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.column("AccessId", ColumnType.string(36));
    }

    @Override
    void write(UUID id, Mutation.WriteBuilder row) {
      row.set("AccessId").to(UuidLayout.STRING.apply(id));
    }
  },

  /** {@code INT64, INT64}: 16 bytes, in two columns. */
  LONGS(
      CompositeKey.<UUID>builder()
          .part("IdHigh", id -> UuidLayout.LONGS.apply(id).mostSignificant())
          .part("IdLow", id -> UuidLayout.LONGS.apply(id).leastSignificant())
          .build()) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.column("IdHigh", ColumnType.int64()).column("IdLow", ColumnType.int64());
    }

    @Override
    void write(UUID id, Mutation.WriteBuilder row) {
      UuidLongs longs = UuidLayout.LONGS.apply(id);
      row.set("IdHigh").to(longs.mostSignificant());
      row.set("IdLow").to(longs.leastSignificant());
    }
  },

  /** {@code BYTES(16)}: 16 bytes. */
  BYTES(CompositeKey.<UUID>builder().part("AccessId", UuidLayout.BYTES).build()) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.column("AccessId", ColumnType.bytes(16));
    }

    @Override
    void write(UUID id, Mutation.WriteBuilder row) {
      row.set("AccessId").to(ByteArray.copyFrom(UuidLayout.BYTES.apply(id)));
    }
  };

  private final CompositeKey<UUID> key;

  UuidColumns(CompositeKey<UUID> key) {
    this.key = key;
  }

  /** The primary key of these columns. */
  CompositeKey<UUID> key() {
    return key;
  }

  abstract TableDdlBuilder addTo(TableDdlBuilder table);

  abstract void write(UUID id, Mutation.WriteBuilder row);
}
