package io.millrace.keys;

import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import io.millrace.spanner.ddl.TableDdlBuilder;
import java.time.ZoneId;

/** A shard column that the server computes, and the same shard as the client computes it. */
enum GeneratedShard {

  /** Of one column, and never negative. */
  OF_TIME(Shards.farmFingerprint(64, Text.TIME)) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.shardColumn("ShardId", 64, "LastAccess");
    }
  },

  /** As the guide writes it: {@code MOD(FARM_FINGERPRINT(CAST(LastAccess AS STRING)), 64)}. */
  OF_TIME_SIGNED(Shards.farmFingerprint(64, Text.TIME).preservingSign()) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.signedShardColumn("ShardId", 64, "LastAccess");
    }
  },

  /** Of two columns: rows of the same time are in different shards too. */
  OF_TIME_AND_USER(Shards.farmFingerprint(64, Text.TIME_AND_USER)) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.shardColumn("ShardId", 64, "LastAccess", "UserId");
    }
  },

  /** Of two columns, with the sign of the hash. */
  OF_TIME_AND_USER_SIGNED(Shards.farmFingerprint(64, Text.TIME_AND_USER).preservingSign()) {
    @Override
    TableDdlBuilder addTo(TableDdlBuilder table) {
      return table.signedShardColumn("ShardId", 64, "LastAccess", "UserId");
    }
  };

  /** Spanner's default for the option {@code default_time_zone}, in which the server casts. */
  static final ZoneId ZONE = Text.ZONE;

  /** The hashed text, in a class because an enum's constants cannot use its other fields. */
  private static final class Text {

    static final ZoneId ZONE = ZoneId.of("America/Los_Angeles");

    static final KeyEncoder<Access> TIME = KeyEncoder.timestamp(ZONE).from(Access::at);

    static final KeyEncoder<Access> TIME_AND_USER =
        KeyEncoder.netstrings(TIME, KeyEncoder.string().from(Access::user));
  }

  private final Shards<Access> shards;

  GeneratedShard(Shards<Access> shards) {
    this.shards = shards;
  }

  /** The shards, as the client computes them. */
  Shards<Access> shards() {
    return shards;
  }

  /** Adds the column, which the server computes. */
  abstract TableDdlBuilder addTo(TableDdlBuilder table);
}
