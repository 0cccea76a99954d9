package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Struct;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A range of all shards, or buckets, of a table as one ordered {@code Flux}. */
final class ScatterRead {

  /** How many rows of each shard may wait for the merge. */
  static final int PREFETCH = 16;

  private ScatterRead() {}

  /**
   * Reads every shard, all at one timestamp, and merges the rows. In memory are at most {@code
   * shards * PREFETCH} rows, and what Spanner's client has received of each read. A cancel ends all
   * reads.
   *
   * @param read reads the rows of one shard, in order
   * @param order the order of the rows of a shard
   */
  static <T> Flux<T> merged(
      DatabaseClient client,
      LongStream shards,
      BiFunction<ReadContext, Long, ResultSet> read,
      Function<Struct, T> row,
      Comparator<T> order) {
    List<Long> all = shards.boxed().toList();
    return Flux.using(
            client::readOnlyTransaction,
            snapshot ->
                Flux.mergeComparing(
                    PREFETCH,
                    order,
                    all.stream()
                        .map(shard -> Rows.of(() -> read.apply(snapshot, shard)).map(row))
                        .<Publisher<T>>toArray(Publisher[]::new)),
            ReadOnlyTransaction::close)
        .subscribeOn(Schedulers.boundedElastic());
  }

  /** A shard's rows from a time (inclusive) to another (exclusive). */
  static KeySet between(long shard, Instant from, Instant to) {
    return KeySet.range(
        KeyRange.closedOpen(
            Key.of(shard, Times.timestamp(from)), Key.of(shard, Times.timestamp(to))));
  }
}
