package io.millrace;

import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * Forwards each request to another store: the base class of a store that changes or observes some
 * requests. The other store creates a missing sequence within {@link #reserve(ReservationRequest)},
 * without calling {@link #create} of this one.
 */
public abstract class DelegatingSequenceStore implements SequenceStore {

  private final SequenceStore delegate;

  /**
   * Wraps a store.
   *
   * @param store the store to which requests are forwarded
   */
  protected DelegatingSequenceStore(SequenceStore store) {
    this.delegate = Objects.requireNonNull(store, "store");
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return delegate.reserve(request);
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return delegate.release(sequence, tail);
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return delegate.create(sequence, startValue);
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return delegate.state(sequence);
  }

  @Override
  public Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return delegate.advanceTo(sequence, nextValue);
  }

  @Override
  public boolean isOrdered() {
    return delegate.isOrdered();
  }

  @Override
  public boolean isReleasable() {
    return delegate.isReleasable();
  }

  /** Returns the text of the wrapped store. */
  @Override
  public String toString() {
    return delegate.toString();
  }
}
