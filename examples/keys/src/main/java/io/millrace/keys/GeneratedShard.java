package io.millrace.keys;

import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import java.time.ZoneId;

/**
 * The tables with a shard that the server generates, and the same shard as the client computes it.
 */
enum GeneratedShard {

  /** Of one column, and never negative. */
  OF_TIME("time_shard_access_log", Shards.farmFingerprint(64, Text.TIME)),

  /** As the guide writes it: {@code MOD(FARM_FINGERPRINT(CAST(last_access AS STRING)), 64)}. */
  OF_TIME_SIGNED("signed_shard_access_log", Shards.farmFingerprint(64, Text.TIME).preservingSign()),

  /** Of two columns: rows of the same time are in different shards too. */
  OF_TIME_AND_USER(
      "time_and_user_shard_access_log", Shards.farmFingerprint(64, Text.TIME_AND_USER));

  /** Spanner's default for the option {@code default_time_zone}, in which the server casts. */
  static final ZoneId ZONE = Text.ZONE;

  /** The hashed text, in a class because an enum's constants cannot use its other fields. */
  private static final class Text {

    static final ZoneId ZONE = ZoneId.of("America/Los_Angeles");

    static final KeyEncoder<Access> TIME = KeyEncoder.timestamp(ZONE).from(Access::at);

    static final KeyEncoder<Access> TIME_AND_USER =
        KeyEncoder.netstrings(TIME, KeyEncoder.string().from(Access::user));
  }

  private final String table;
  private final Shards<Access> shards;

  GeneratedShard(String table, Shards<Access> shards) {
    this.table = table;
    this.shards = shards;
  }

  String table() {
    return table;
  }

  Shards<Access> shards() {
    return shards;
  }
}
