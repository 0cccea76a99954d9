package io.millrace.keys;

import com.google.cloud.ByteArray;
import com.google.cloud.spanner.Mutation;
import io.millrace.key.CompositeKey;
import io.millrace.key.UuidLayout;
import io.millrace.key.UuidLongs;
import java.util.UUID;

/** The three ways to store a UUID in a primary key. */
enum UuidColumns {

  /** {@code STRING(36)}: 36 bytes of readable text. */
  STRING(
      "uuid_string_log",
      CompositeKey.<UUID>builder().part("access_id", UuidLayout.STRING).build()) {
    @Override
    void write(UUID id, Mutation.WriteBuilder row) {
      row.set("access_id").to(UuidLayout.STRING.apply(id));
    }
  },

  /** {@code INT64, INT64}: 16 bytes, in two columns. */
  LONGS(
      "uuid_longs_log",
      CompositeKey.<UUID>builder()
          .part("id_high", id -> UuidLayout.LONGS.apply(id).mostSignificant())
          .part("id_low", id -> UuidLayout.LONGS.apply(id).leastSignificant())
          .build()) {
    @Override
    void write(UUID id, Mutation.WriteBuilder row) {
      UuidLongs longs = UuidLayout.LONGS.apply(id);
      row.set("id_high").to(longs.mostSignificant());
      row.set("id_low").to(longs.leastSignificant());
    }
  },

  /** {@code BYTES(16)}: 16 bytes. */
  BYTES(
      "uuid_bytes_log", CompositeKey.<UUID>builder().part("access_id", UuidLayout.BYTES).build()) {
    @Override
    void write(UUID id, Mutation.WriteBuilder row) {
      row.set("access_id").to(ByteArray.copyFrom(UuidLayout.BYTES.apply(id)));
    }
  };

  private final String table;
  private final CompositeKey<UUID> key;

  UuidColumns(String table, CompositeKey<UUID> key) {
    this.table = table;
    this.key = key;
  }

  /** The table with these columns. */
  String table() {
    return table;
  }

  /** The primary key of these columns. */
  CompositeKey<UUID> key() {
    return key;
  }

  abstract void write(UUID id, Mutation.WriteBuilder row);
}
