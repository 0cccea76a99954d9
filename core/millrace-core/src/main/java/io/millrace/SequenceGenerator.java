package io.millrace;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * A {@link Sequence} that reserves blocks of values from a counter in a {@link SequenceStore} and
 * buffers them in this process.
 *
 * <p>A generator is thread-safe; use one for each sequence in a process. It sends no request to the
 * store until the first value is requested or {@link #warmup()} is subscribed to. At most one
 * reservation is in flight at a time, for any number of waiting subscribers.
 *
 * <pre>{@code
 * SequenceGenerator ids = SequenceGenerator.builder(store, "order_id").build();
 * Mono<Long> id = ids.next();
 * }</pre>
 *
 * <p>Do not implement this interface outside Millrace: methods may be added.
 */
public interface SequenceGenerator extends Sequence, Disposable {

  /**
   * Returns a builder for a generator.
   *
   * @param store the store that keeps the counter
   * @param sequence the name of the sequence in that store
   * @return a builder with every option at its default
   * @throws IllegalArgumentException if the name is blank
   */
  static SequenceGeneratorBuilder builder(SequenceStore store, String sequence) {
    return new SequenceGeneratorBuilder(store, sequence);
  }

  /**
   * {@return the name of the sequence, as passed to {@link #builder} or {@link
   * SequenceGenerators#get}}
   */
  String name();

  /**
   * Fills the buffer before the first value is needed, so that the first subscriber does not wait
   * and a missing row is found at start-up. Does nothing if values are already buffered. With
   * {@code blockSize(1)} the generator buffers no values, and this only checks that the row exists,
   * or creates it with {@code createMissing}.
   *
   * <p>Nothing happens before subscription. The subscription waits in line like one to {@link
   * #next()}.
   *
   * @return completes when a value is buffered. Errors: as for {@link #next()}
   */
  Mono<Void> warmup();

  /**
   * Returns the state and the counts of this generator, for logs, meters and tests. The figures are
   * read one after another, so they are consistent only while no other thread uses the generator.
   */
  SequenceGeneratorSnapshot snapshot();

  /**
   * Shuts the generator down. Waiting and later subscribers fail with {@link
   * SequenceDisposedException}; a subscriber that is being served still receives the values claimed
   * for it. The generator waits up to {@code reservationTimeout} for a reservation in flight, and
   * then releases the end of the newest block if the store supports it.
   *
   * <p>On a handle from {@link SequenceGenerators#get}, which shares its generator with other
   * handles, this evicts the generator if it is idle, and otherwise does nothing. No subscriber
   * fails, and the handle stays valid. {@link SequenceGenerators#disposeLater()} shuts all
   * generators down.
   *
   * <p>Nothing happens before subscription. The first subscription starts the shutdown; all
   * subscriptions complete with it, and cancelling one does not stop it.
   *
   * @return completes when nothing is in flight; for a handle, when the evicted generator, or an
   *     earlier one of that name, has released its values. Values that cannot be released are gaps.
   *     Never fails
   */
  Mono<Void> disposeLater();

  /** Subscribes to {@link #disposeLater()} and returns without waiting. */
  @Override
  default void dispose() {
    disposeLater().subscribe();
  }

  /**
   * {@return whether the shutdown has begun: {@link #dispose()} was called or {@link
   * #disposeLater()} subscribed to; for a handle, on its {@link SequenceGenerators}}
   */
  @Override
  boolean isDisposed();
}
