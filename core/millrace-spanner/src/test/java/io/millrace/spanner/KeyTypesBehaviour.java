package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Value;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The order of keys of each type, compared with the server, which also keeps all values in one
 * shard.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KeyTypesBehaviour {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long ALL_IN_ONE = 99;
  private static final int SHARDS = 3;

  private EmulatorDatabase database;

  /**
   * A key column and what is kept in it.
   *
   * @param type the column's type in the dialect
   * @param descending whether the column is
   * @param values what to keep, all different
   */
  record Column(String type, boolean descending, List<Value> values) {

    @Override
    public String toString() {
      return type + (descending ? " DESC" : "");
    }
  }

  abstract Stream<Column> columns();

  /** The statement that makes a table with the key (shard, k). */
  abstract String table(String name, Column column);

  /** Words around the places where UTF-16 and UTF-8 differ in order. */
  static List<String> words() {
    return List.of(
        "",
        "A",
        "Z",
        "a",
        "a ",
        "ab",
        "\u00e9",
        "\u07ff",
        "\ud7ff",
        "\ue000",
        "\uffff",
        "\ud83d\ude00",
        "\ud83d\ude00a",
        "\u0001");
  }

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
  }

  @ParameterizedTest
  @MethodSource("columns")
  void rowsComeInTheServersOrder(Column column) {
    String table = "t" + Math.abs(column.toString().hashCode());
    database.update(table(table, column));
    DatabaseClient client = database.client();
    List<Value> shuffled = new ArrayList<>(column.values());
    Collections.shuffle(shuffled, new Random(7));
    List<Mutation> rows = new ArrayList<>();
    for (int i = 0; i < shuffled.size(); i++) {
      rows.add(row(table, i % SHARDS, shuffled.get(i)));
      rows.add(row(table, ALL_IN_ONE, shuffled.get(i)));
    }
    client.writeAtLeastOnce(rows);

    List<Value> servers = new ArrayList<>();
    try (ResultSet read =
        client.singleUse().read(table, KeySet.prefixRange(Key.of(ALL_IN_ONE)), List.of("k"))) {
      while (read.next()) {
        servers.add(read.getValue("k"));
      }
    }
    assertThat(servers).hasSameSizeAs(column.values());

    RangeScatterBuilder scatter =
        RangeScatter.builder(client, table).shards(LongStream.range(0, SHARDS)).pageSize(1);
    scatter = column.descending() ? scatter.keyDescending("k") : scatter.key("k");
    assertThat(scatter.build().rows().map(row -> row.getValue("k")).collectList().block(LIMIT))
        .isEqualTo(servers);
  }

  private static Mutation row(String table, long shard, Value key) {
    return Mutation.newInsertBuilder(table).set("shard").to(shard).set("k").to(key).build();
  }
}
