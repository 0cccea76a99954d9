package io.millrace.torture;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceStore;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Flux;

/** The generators of a process, one for each mode. They may be disposed and built anew. */
final class Generators {

  /** Shorter than a pause of the process. */
  private static final Duration RESERVATION_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(5);

  /** Longer than a generator waits for a reservation and for the release of its values. */
  private static final Duration DISPOSAL = Duration.ofSeconds(20);

  private final Map<Mode, SequenceStore> stores = new EnumMap<>(Mode.class);
  private final Map<Mode, SequenceGenerator> generators = new ConcurrentHashMap<>();
  private final Sizes sizes;
  private final Meters meters;

  Generators(ChildSettings settings, Access access, Meters meters) {
    this.sizes = settings.sizes();
    this.meters = meters;
    for (Mode mode : settings.modes()) {
      if (mode != Mode.TRANSACTIONAL) {
        SequenceStore store = access.store(mode);
        stores.put(
            mode, settings.sabotaged() && mode == Mode.BATCH ? new SabotagedStore(store) : store);
      }
    }
    build();
  }

  private void build() {
    stores.forEach(
        (mode, store) ->
            generators.put(
                mode,
                sizes
                    .set(mode, SequenceGenerator.builder(store, mode.sequence()))
                    .reservationTimeout(RESERVATION_TIMEOUT)
                    .acquireTimeout(ACQUIRE_TIMEOUT)
                    .backoff(Duration.ofMillis(20), Duration.ofMillis(500), 0.5, 5)
                    .metrics(meters)
                    .build()));
  }

  /** The generator to use now. */
  SequenceGenerator get(Mode mode) {
    SequenceGenerator generator = generators.get(mode);
    if (generator == null) {
      throw new IllegalArgumentException("no generator for " + mode);
    }
    return generator;
  }

  /** Disposes the generators while subscribers use them, and builds new ones. Blocks. */
  void renew() {
    dispose();
    build();
  }

  /** Disposes the generators while subscribers use them. Blocks. */
  void dispose() {
    generators.keySet().forEach(mode -> meters.add(mode, Meters.Count.DISPOSALS, 1));
    Flux.fromIterable(generators.values())
        .flatMap(SequenceGenerator::disposeLater)
        .then()
        .block(DISPOSAL);
  }
}
