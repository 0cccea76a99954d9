package io.millrace.r2dbc;

import io.millrace.ledger.SequenceLedger;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Reads the ledger of a store on the store's connections. */
final class R2dbcLedger implements SequenceLedger {

  /** Runs work of a store, and translates its errors. */
  interface Requests {
    <T> Mono<T> request(String sequence, BiFunction<StoreWork, LedgerTable, Mono<T>> work);
  }

  private final String table;
  private final Requests requests;

  R2dbcLedger(String table, Requests requests) {
    this.table = table;
    this.requests = requests;
  }

  @Override
  public Mono<List<Entry>> page(String sequence, @Nullable Entry after, int limit) {
    return requests.request(
        sequence,
        (work, ledger) -> work.read(connection -> ledger.page(connection, sequence, after, limit)));
  }

  @Override
  public Mono<Entry> lastKept(String sequence, long value) {
    return requests.request(
        sequence,
        (work, ledger) -> work.read(connection -> ledger.lastKept(connection, sequence, value)));
  }

  @Override
  public Mono<Long> removeBefore(String sequence, Instant time) {
    return requests.request(
        sequence,
        (work, ledger) ->
            work.read(connection -> ledger.removalBound(connection, sequence, time))
                .defaultIfEmpty(Long.MAX_VALUE)
                .flatMap(
                    last ->
                        work.write(connection -> ledger.remove(connection, sequence, last, time))
                            .map(removed -> new Removed(removed, last == Long.MAX_VALUE)))
                .repeat()
                .takeUntil(Removed::isLast)
                .reduce(0L, (sum, removed) -> sum + removed.entries()));
  }

  private record Removed(long entries, boolean isLast) {}

  @Override
  public String toString() {
    return "SequenceLedger[" + table + "]";
  }
}
