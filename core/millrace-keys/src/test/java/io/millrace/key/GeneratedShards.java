package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.ByteArray;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Columns that the server generates and stores hold the shards that {@link Shards} computes. A
 * subclass declares the table {@code accesses} in its dialect.
 */
abstract class GeneratedShards {

  private static final int ROWS = 1_000;
  private static final ZoneId ZONE = ServerAgreement.DEFAULT_ZONE;

  record Access(
      long id, String user, byte[] token, boolean granted, LocalDate day, Instant lastAccess) {}

  /** The column {@code shard} is as the guide has it: with the sign of the fingerprint. */
  private static final Shards<Access> BY_TIME =
      Shards.farmFingerprint(2048, KeyEncoder.timestamp(ZONE).from(Access::lastAccess))
          .preservingSign();

  private static final Shards<Access> BY_USER =
      Shards.farmFingerprint(64, KeyEncoder.string().from(Access::user));

  private static final Shards<Access> BY_TOKEN =
      Shards.farmFingerprint(64, KeyEncoder.bytes().from(Access::token));

  private static final Shards<Access> BY_ALL =
      Shards.farmFingerprint(
          1_000,
          KeyEncoder.netstrings(
              KeyEncoder.string().from(Access::user),
              KeyEncoder.int64().from(Access::id),
              KeyEncoder.bool().from(Access::granted),
              KeyEncoder.date().from(Access::day),
              KeyEncoder.timestamp(ZONE).from(Access::lastAccess)));

  @Test
  void aGeneratedColumnHoldsTheShardOfItsRow(DatabaseClient client) {
    List<Access> accesses = accesses();
    client.write(accesses.stream().map(GeneratedShards::insert).toList());
    Statement query =
        Statement.of("SELECT shard, user_shard, token_shard, row_shard FROM accesses ORDER BY id");
    List<List<Long>> generated = new ArrayList<>();
    try (ResultSet rows = client.singleUse().executeQuery(query)) {
      while (rows.next()) {
        generated.add(List.of(rows.getLong(0), rows.getLong(1), rows.getLong(2), rows.getLong(3)));
      }
    }
    assertThat(generated)
        .hasSize(ROWS)
        .containsExactlyElementsOf(
            accesses.stream()
                .map(
                    access ->
                        List.of(
                            BY_TIME.apply(access),
                            BY_USER.apply(access),
                            BY_TOKEN.apply(access),
                            BY_ALL.apply(access)))
                .toList());
  }

  /** In the order of their ids. */
  private static List<Access> accesses() {
    List<String> users = Inputs.strings();
    List<byte[]> tokens = Inputs.byteArrays();
    List<Boolean> granted = Inputs.booleans();
    List<LocalDate> days = Inputs.dates();
    List<Instant> times = Inputs.instants();
    return IntStream.range(0, ROWS)
        .mapToObj(
            i ->
                new Access(
                    (i - ROWS / 2) * 1_000_000_007L,
                    users.get(i),
                    tokens.get(i),
                    granted.get(i),
                    days.get(i),
                    times.get(i)))
        .toList();
  }

  private static Mutation insert(Access access) {
    return Mutation.newInsertBuilder("accesses")
        .set("id")
        .to(access.id())
        .set("user_id")
        .to(access.user())
        .set("token")
        .to(ByteArray.copyFrom(access.token()))
        .set("granted")
        .to(access.granted())
        .set("day")
        .to(ServerComparison.date(access.day()))
        .set("last_access")
        .to(ServerComparison.timestamp(access.lastAccess()))
        .build();
  }
}
