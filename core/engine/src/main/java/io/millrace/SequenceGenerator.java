package io.millrace;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * A {@link Sequence} whose values come from a counter in a {@link SequenceStore}, reserved a block
 * at a time and buffered in this process.
 *
 * <p>It is safe for use by any number of threads; one for a sequence and a process is the way to
 * use it. Nothing touches the store before the first value is requested or {@link #warmup()} is
 * subscribed to. At most one reservation is in flight at a time, however many subscribers wait.
 *
 * <pre>{@code
 * SequenceGenerator invoices =
 *     SequenceGenerator.builder(store, "invoice_id").batchSize(1_000).lowWatermark(200).build();
 * Mono<Long> id = invoices.next();
 * }</pre>
 *
 * <p>Not for implementation outside Millrace: methods may be added.
 */
public interface SequenceGenerator extends Sequence, Disposable {

  /**
   * Starts a generator's configuration.
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
   * @return the name given to the builder
   */
  String name();

  /**
   * Fills the buffer before the first value is needed, so that the first subscriber need not wait
   * and a missing row shows at start-up. Does nothing if values are buffered already. With {@code
   * batchSize(1)} no value can be kept, so that it only checks that the row is there.
   *
   * <p>Nothing happens before subscription. It waits in line as {@link #next()} does.
   *
   * @return completes when a value is there to be taken. Errors: as {@link #next()}
   */
  Mono<Void> warmup();

  /**
   * Returns what the generator holds and has done. The figures are read one after another while
   * others work, so that they agree with each other exactly only while nobody does.
   *
   * @return figures of one moment, for logs, meters and tests
   */
  SequenceGeneratorSnapshot snapshot();

  /**
   * Ends this object: those who come later fail with {@link SequenceDisposedException}.
   *
   * <p>A generator from {@link #builder} shuts down: it fails those who wait, too, waits for a
   * reservation in flight (as long as {@code reservationTimeout} at the most), and gives the end of
   * the newest block back to the store if that can. A subscriber being served gets the values
   * claimed for it.
   *
   * <p>A handle from {@link SequenceGenerators#get} shares its generator with other handles, and
   * ends alone: subscriptions that run, also those made through it, go on as if it had not ended,
   * and those who wait go on waiting. If nobody uses the generator, it shuts down; else that is
   * left to {@link SequenceGenerators}, whose own {@code disposeLater()} fails those who wait.
   *
   * <p>Nothing happens before subscription; only the first one does anything, later ones complete
   * with it. Cancelling a subscription does not stop the shutdown.
   *
   * @return completes when the generator that shuts down has nothing in flight any more; at once if
   *     none does, since others use it. Never fails: values that cannot be given back are gaps
   */
  Mono<Void> disposeLater();

  /** Ends this object as {@link #disposeLater()} does, without waiting for it. */
  @Override
  default void dispose() {
    disposeLater().subscribe();
  }

  /**
   * Tells whether this object has ended.
   *
   * @return true once {@link #dispose()} was called or {@link #disposeLater()} subscribed to, here
   *     or, for a handle, of its {@link SequenceGenerators}
   */
  @Override
  boolean isDisposed();
}
