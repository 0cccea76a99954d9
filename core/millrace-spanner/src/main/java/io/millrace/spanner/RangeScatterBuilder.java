package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.TimestampBound;
import io.millrace.InvalidOptionException;
import io.millrace.internal.ShownText;
import io.millrace.spanner.ddl.KeyColumn;
import io.millrace.spanner.internal.Identifiers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Configures a {@link RangeScatter}. Each setter rejects invalid arguments. */
public final class RangeScatterBuilder {

  private static final String KEY_COLUMN = "a key column";

  final DatabaseClient client;
  final String table;
  List<Long> shards = List.of();
  TimestampBound bound = TimestampBound.strong();
  @Nullable Integer pageSize;
  int concurrency = 32;

  private final List<KeyColumn> key = new ArrayList<>();
  private final Set<String> columns = new LinkedHashSet<>();

  RangeScatterBuilder(DatabaseClient client, String table) {
    this.client = Objects.requireNonNull(client, "client");
    this.table = Identifiers.table("the table", table);
  }

  /**
   * Sets the shards to read: the values of the key's first column, of type {@code INT64} or {@code
   * bigint}. Rows with another value, or {@code NULL}, are not read. Required.
   *
   * @param values the shards, all different, 1 or more; consumed by this call
   * @throws IllegalArgumentException if there is no shard, or one occurs twice
   */
  public RangeScatterBuilder shards(LongStream values) {
    List<Long> given = Objects.requireNonNull(values, "values").boxed().toList();
    if (given.isEmpty()) {
      throw new IllegalArgumentException("there must be at least 1 shard, was none");
    }
    Set<Long> seen = new HashSet<>();
    for (Long shard : given) {
      if (!seen.add(shard)) {
        throw new IllegalArgumentException("the shards must differ, " + shard + " occurs twice");
      }
    }
    this.shards = given;
    return this;
  }

  /**
   * Adds key columns in ascending order. All columns of the primary key after the shard must be
   * added, in key order, by this method and {@link #keyDescending}.
   *
   * @param names columns: a letter, then letters, digits and underscores, at most 128 characters
   * @throws IllegalArgumentException if a name does not have that form, or was already added
   */
  public RangeScatterBuilder key(String... names) {
    return addKey(false, names);
  }

  /**
   * Adds key columns in descending order, {@code DESC}.
   *
   * @param names columns: a letter, then letters, digits and underscores, at most 128 characters
   * @throws IllegalArgumentException if a name does not have that form, or was already added
   */
  public RangeScatterBuilder keyDescending(String... names) {
    return addKey(true, names);
  }

  private RangeScatterBuilder addKey(boolean descending, String... names) {
    for (String name : names) {
      Identifiers.column(KEY_COLUMN, name);
      if (key.stream().anyMatch(known -> known.column().equals(name))) {
        throw new IllegalArgumentException(
            "the key columns must differ, " + ShownText.quote(name) + " occurs twice");
      }
      key.add(new KeyColumn(name, descending));
    }
    return this;
  }

  /**
   * Sets the columns to read, in the order of the emitted rows. Other key columns are appended,
   * because rows are merged by them. Defaults to the key columns.
   *
   * @param names columns: a letter, then letters, digits and underscores, at most 128 characters
   * @throws IllegalArgumentException if a name does not have that form, or occurs twice
   */
  public RangeScatterBuilder columns(String... names) {
    columns.clear();
    for (String name : names) {
      if (!columns.add(Identifiers.column("a column", name))) {
        throw new IllegalArgumentException(
            "the columns must differ, " + ShownText.quote(name) + " occurs twice");
      }
    }
    return this;
  }

  /**
   * Sets the timestamp of the reads. Defaults to strong: everything committed before the
   * subscription is visible. A staleness counts from the subscription.
   *
   * @param bound strong, an exact staleness, or a read timestamp
   * @throws IllegalArgumentException if it is a minimum timestamp or a maximum staleness, which let
   *     each shard choose a timestamp
   */
  public RangeScatterBuilder timestampBound(TimestampBound bound) {
    this.bound = Snapshot.checked(Objects.requireNonNull(bound, "bound"));
    return this;
  }

  /**
   * Sets how many rows are read at a time from one shard. Defaults to 65,536 divided by the number
   * of shards, within 16 and 1,000; with a limit, at most twice a shard's even share of it plus 8.
   *
   * @param rows 1 or more
   * @throws IllegalArgumentException if {@code rows} is below 1
   */
  public RangeScatterBuilder pageSize(int rows) {
    this.pageSize = atLeastOne("pageSize", rows);
    return this;
  }

  /**
   * Sets how many pages are read at a time. Defaults to 32. Keep it well below 100 for each of the
   * client's channels (4 by default), because a channel carries 100 requests at a time.
   *
   * @param pages 1 or more
   * @throws IllegalArgumentException if {@code pages} is below 1
   */
  public RangeScatterBuilder concurrency(int pages) {
    this.concurrency = atLeastOne("concurrency", pages);
    return this;
  }

  private static int atLeastOne(String what, int value) {
    if (value < 1) {
      throw new InvalidOptionException(what, value, "must be at least 1");
    }
    return value;
  }

  /**
   * Builds the reader without sending a request.
   *
   * @throws IllegalArgumentException if there is no shard or no key column
   */
  public RangeScatter build() {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("there must be at least 1 shard, was none");
    }
    if (key.isEmpty()) {
      throw new IllegalArgumentException("there must be at least 1 key column, was none");
    }
    Set<String> read = new LinkedHashSet<>(columns);
    key.forEach(part -> read.add(part.column()));
    return new RangeScatter(this, new KeyOrder(key), List.copyOf(read));
  }
}
