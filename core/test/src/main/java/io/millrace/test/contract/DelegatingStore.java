package io.millrace.test.contract;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import reactor.core.publisher.Mono;

/** Passes everything on, for tests that change or watch one thing. */
public class DelegatingStore implements SequenceStore {

  private final SequenceStore store;

  /**
   * Wraps a store.
   *
   * @param store the store that does the work
   */
  public DelegatingStore(SequenceStore store) {
    this.store = store;
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return store.reserve(sequence, size);
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return store.release(sequence, tail);
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return store.create(sequence, startValue);
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return store.state(sequence);
  }

  @Override
  public boolean isOrdered() {
    return store.isOrdered();
  }

  @Override
  public boolean isReleasable() {
    return store.isReleasable();
  }
}
