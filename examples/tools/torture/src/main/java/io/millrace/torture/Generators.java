package io.millrace.torture;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The generators of a process, one for each mode, and its writer of rows. They may be disposed and
 * rebuilt. With few places they are generators by name, and unused ones are evicted continually.
 */
final class Generators {

  /** Shorter than a pause of the process. */
  private static final Duration RESERVATION_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Longer than a generator waits for a reservation and for the release of its values, and a writer
   * for the rows that it accepted: three tries and a look-up.
   */
  private static final Duration DISPOSAL = Duration.ofSeconds(40);

  private static final int ROWS_PER_REFUSED = 10;

  /** Generators by name are looked at four times in this time. */
  private static final Duration IDLE = Duration.ofMillis(200);

  private final Map<Mode, SequenceStore> stores = new EnumMap<>(Mode.class);
  private final Map<Mode, SequenceGenerator> generators = new ConcurrentHashMap<>();
  private final List<SequenceGenerators> named = new CopyOnWriteArrayList<>();
  private final AtomicLong writes = new AtomicLong();
  private final Access access;
  private final Sizes sizes;
  private final Meters meters;
  private final int places;

  private volatile RowWriter<Access.Row> writer;

  Generators(ChildSettings settings, Access access, Meters meters) {
    this.sizes = settings.sizes();
    this.meters = meters;
    this.places = settings.places();
    this.access = access;
    this.writer = access.writer();
    for (Mode mode : settings.modes()) {
      if (!mode.insertsRows()) {
        SequenceStore store = access.store(mode);
        stores.put(
            mode, settings.sabotaged() && mode == Mode.BATCH ? new SabotagedStore(store) : store);
      }
    }
    build();
  }

  private void build() {
    if (places == 0) {
      stores.forEach(
          (mode, store) ->
              generators.put(
                  mode, set(mode, SequenceGenerator.builder(store, mode.sequence())).build()));
      return;
    }
    Map<SequenceStore, SequenceGenerators.Builder> builders = new IdentityHashMap<>();
    stores.forEach(
        (mode, store) ->
            builders
                .computeIfAbsent(store, SequenceGenerators::builder)
                .maxGenerators(places)
                .idleAfter(IDLE)
                .sequence(mode.sequence(), options -> set(mode, options)));
    named.clear();
    builders.forEach(
        (store, builder) -> {
          SequenceGenerators built = builder.build();
          named.add(built);
          stores.forEach(
              (mode, own) -> {
                if (own == store) {
                  generators.put(mode, built.get(mode.sequence()));
                }
              });
        });
  }

  private SequenceGeneratorBuilder set(Mode mode, SequenceGeneratorBuilder builder) {
    return sizes
        .set(mode, builder)
        .reservationTimeout(RESERVATION_TIMEOUT)
        .acquireTimeout(ACQUIRE_TIMEOUT)
        .backoff(Duration.ofMillis(20), Duration.ofMillis(500), 0.5, 5)
        .metrics(meters);
  }

  /** The generator to use now. */
  SequenceGenerator get(Mode mode) {
    SequenceGenerator generator = generators.get(mode);
    if (generator == null) {
      throw new IllegalArgumentException("no generator for " + mode);
    }
    return generator;
  }

  /**
   * Inserts a row with the writer. With every tenth, another row is written that the database
   * refuses.
   *
   * @return its number
   */
  Mono<Long> write(long source) {
    return Mono.defer(
        () -> {
          RowWriter<Access.Row> current = writer;
          if (writes.incrementAndGet() % ROWS_PER_REFUSED == 0) {
            current
                .write(new Access.Row(-source - 1, 0))
                .subscribe(written -> {}, refused -> {}); // the rows are looked at in the end
          }
          return current.write(new Access.Row(source, 0)).map(Access.Row::number);
        });
  }

  /** Disposes the generators while subscribers use them, and builds new ones. Blocks. */
  void renew() {
    dispose();
    writer = access.writer();
    build();
  }

  /** Disposes the generators while subscribers use them. Blocks. */
  void dispose() {
    Mono<Void> disposal =
        places == 0
            ? Flux.fromIterable(generators.values()).flatMap(SequenceGenerator::disposeLater).then()
            : Flux.fromIterable(named).flatMap(SequenceGenerators::disposeLater).then();
    disposal.and(writer.disposeLater()).block(DISPOSAL);
  }
}
