package io.millrace;

import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Protects the generator from a store that breaks its contract, and hides the generator's
 * subscribers from the store: each request is a {@link StoreRequest}.
 */
final class GuardedStore implements SequenceStore {

  private static final Logger LOG = Loggers.getLogger(SequenceStore.class);

  private final SequenceStore store;

  GuardedStore(SequenceStore store) {
    this.store = store;
  }

  /** Emits each block that the store emits, also a second one: all are taken from the sequence. */
  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return new StoreRequest<>(sequence, () -> store.reserve(sequence, size));
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return once(sequence, () -> store.release(sequence, tail));
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return once(sequence, () -> store.create(sequence, startValue));
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return once(sequence, () -> store.state(sequence));
  }

  private static <T> Mono<T> once(String sequence, Supplier<Mono<T>> request) {
    return Flux.from(new StoreRequest<>(sequence, request)).next();
  }

  @Override
  public boolean isOrdered() {
    return store.isOrdered();
  }

  /** False if the store throws. Then nothing is released; the values only become a gap. */
  @Override
  public boolean isReleasable() {
    try {
      return store.isReleasable();
    } catch (Throwable thrown) {
      LOG.error("A store threw from isReleasable; nothing is given back to it", thrown);
      return false;
    }
  }

  @Override
  public String toString() {
    return store.toString();
  }
}
