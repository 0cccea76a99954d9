package io.millrace.ledger;

import io.millrace.ledger.SequenceLedger.Entry;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A ledger in memory, written by tests. */
final class ListLedger implements SequenceLedger {

  static final Holder ADA = new Holder("shop", "ada", "1");
  static final Holder BOB = new Holder("shop", "bob", "1");
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::first).thenComparingLong(Entry::id);

  private final List<Entry> entries = new CopyOnWriteArrayList<>();
  final AtomicInteger pages = new AtomicInteger();

  /** Adds an entry a second after the one before. */
  Entry add(long first, long size, long released, Holder holder) {
    Entry entry =
        new Entry(
            "s", first, entries.size(), size, released, holder, START.plusSeconds(entries.size()));
    entries.add(entry);
    return entry;
  }

  @Override
  public Mono<List<Entry>> page(String sequence, @Nullable Entry after, int limit) {
    return Mono.fromCallable(
        () -> {
          pages.incrementAndGet();
          return entries.stream()
              .filter(entry -> after == null || ORDER.compare(entry, after) > 0)
              .sorted(ORDER)
              .limit(limit)
              .toList();
        });
  }

  @Override
  public Mono<Entry> lastKept(String sequence, long value) {
    return Mono.fromCallable(
            () ->
                entries.stream()
                    .filter(entry -> entry.first() <= value && entry.kept() > 0)
                    .max(ORDER))
        .flatMap(Mono::justOrEmpty);
  }

  @Override
  public Mono<Long> removeBefore(String sequence, Instant time) {
    return Mono.error(new UnsupportedOperationException());
  }
}
