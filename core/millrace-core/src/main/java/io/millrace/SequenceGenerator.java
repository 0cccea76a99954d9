package io.millrace;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * A {@link Sequence} whose values come from a counter in a {@link SequenceStore}. A generator
 * reserves values a block at a time and buffers them in this process.
 *
 * <p>It is safe for use by any number of threads. Use one generator for each sequence in a process.
 * It makes no request to the store before the first value is requested or {@link #warmup()} is
 * subscribed to. At most one reservation is in flight at a time, for any number of waiting
 * subscribers.
 *
 * <pre>{@code
 * SequenceGenerator invoices = SequenceGenerator.builder(store, "invoice_id").build();
 * Mono<Long> id = invoices.next();
 * }</pre>
 *
 * <p>Do not implement this interface outside Millrace: methods may be added.
 */
public interface SequenceGenerator extends Sequence, Disposable {

  /**
   * Starts the configuration of a generator.
   *
   * @param store where the counter is
   * @param sequence the name of the sequence in that store
   * @return a builder with every option at its default
   * @throws IllegalArgumentException if the name is blank
   */
  static SequenceGeneratorBuilder builder(SequenceStore store, String sequence) {
    return new SequenceGeneratorBuilder(store, sequence);
  }

  /**
   * Returns the name of the sequence.
   *
   * @return the name given to {@link #builder}, or to {@link SequenceGenerators#get}
   */
  String name();

  /**
   * Fills the buffer before the first value is needed. Then the first subscriber does not wait, and
   * a missing row is found at start-up. Does nothing if values are buffered already. With {@code
   * blockSize(1)} the generator keeps no values, so this only checks that the row exists.
   *
   * <p>Nothing happens before subscription. The subscription waits in line as one to {@link
   * #next()} does.
   *
   * @return completes when a value is buffered. Errors: as for {@link #next()}
   */
  Mono<Void> warmup();

  /**
   * Returns what the generator holds and has done. The figures are read one after another. They
   * agree with each other exactly only while no other thread uses the generator.
   *
   * @return the figures, for logs, meters and tests
   */
  SequenceGeneratorSnapshot snapshot();

  /**
   * Shuts the generator down: the waiting subscribers and later ones fail with {@link
   * SequenceDisposedException}. The generator waits for a reservation in flight, at most {@code
   * reservationTimeout}. Then it gives the end of the newest block back to the store if the store
   * can take it. A subscriber that is being served receives the values claimed for it.
   *
   * <p>A handle from {@link SequenceGenerators#get} shares its generator with other handles: the
   * generator is evicted if it is idle, and otherwise nothing happens. No subscriber fails, and the
   * handle stays valid. The generators end with {@link SequenceGenerators#disposeLater()}.
   *
   * <p>Nothing happens before subscription. The shutdown begins once, whichever subscription is
   * first, and all complete with it. Cancelling a subscription does not stop the shutdown.
   *
   * @return completes when the generator has nothing in flight; for a handle, when the evicted
   *     generator, or an earlier one of that name, has given its values back. Values that cannot be
   *     given back are gaps. Never fails
   */
  Mono<Void> disposeLater();

  /** Does what {@link #disposeLater()} does, without waiting for it. */
  @Override
  default void dispose() {
    disposeLater().subscribe();
  }

  /**
   * Tells whether the shutdown has begun.
   *
   * @return true once {@link #dispose()} was called or {@link #disposeLater()} was subscribed to;
   *     for a handle, on its {@link SequenceGenerators}
   */
  @Override
  boolean isDisposed();
}
