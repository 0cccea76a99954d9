package io.millrace.engine;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SkippedValues;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Creates the counter of one generator's sequence when the store does not know it, and then asks
 * again. It does so once. A counter that is missing after that was deleted from outside; creating
 * it again would issue its first values twice.
 */
public final class CreatingStore extends DelegatingSequenceStore {

  private final long startValue;

  /** Set when the store has confirmed that the sequence exists; requests may overlap. */
  private volatile boolean exists;

  public CreatingStore(SequenceStore store, long startValue) {
    super(store);
    this.startValue = startValue;
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return creating(sequence, () -> delegate().reserve(sequence, size));
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return creating(sequence, () -> delegate().state(sequence));
  }

  @Override
  public SequenceStore skipping(SkippedValues skipped) {
    return new CreatingStore(delegate().skipping(skipped), startValue);
  }

  /**
   * Creates the counter only if it was not known when the request was sent. Another request may
   * create it before the answer comes.
   */
  private <T> Mono<T> creating(String sequence, Supplier<Mono<T>> request) {
    return Mono.defer(
        () -> {
          boolean before = exists;
          return Mono.defer(request)
              .doOnNext(answer -> exists = true)
              .onErrorResume(
                  SequenceNotFoundException.class,
                  missing -> before ? Mono.error(missing) : create(sequence, request));
        });
  }

  private <T> Mono<T> create(String sequence, Supplier<Mono<T>> request) {
    return Mono.defer(() -> delegate().create(sequence, startValue))
        .doOnSuccess(created -> exists = true)
        .then(Mono.defer(request));
  }
}
