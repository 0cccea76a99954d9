package io.millrace;

import io.millrace.engine.NamedGenerators;
import io.millrace.engine.NamedOptions;
import io.millrace.engine.SequenceTemplate;
import java.util.List;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Creates generators by name from one {@link SequenceStore}, for a program with many sequences, for
 * example one for each tenant.
 *
 * <pre>{@code
 * SequenceGenerators generators =
 *     SequenceGenerators.builder(store)
 *         .defaults(options -> options.blockSize(1_000))
 *         .sequence("invoices", options -> options.blockSize(1))
 *         .template("orders/{tenant}", options -> options.blockSize(100).createMissing(1))
 *         .build();
 *
 * Mono<Long> invoice = generators.get("invoices").next();
 * Mono<Long> order = generators.forTemplate("orders/{tenant}", "acme").next();
 * }</pre>
 *
 * <p><b>Created when used.</b> {@link #get(String)} returns a handle. The first subscription to a
 * handle creates the generator, which all handles of the name share.
 *
 * <p><b>Evicted when idle.</b> A generator is evicted when it was not used for {@code idleAfter},
 * or when there are more than {@code maxGenerators} and it is about the least recently used. It
 * releases the end of its newest block to the store and is removed. Values that subscribers gave
 * back too late to be part of that end are a gap.
 *
 * <p>A generator is idle while no subscriber waits and no reservation is in flight. An open stream
 * without demand does not keep its generator. No subscription fails because of an eviction: handles
 * and subscriptions stay valid, and continue with a new generator, which makes its first
 * reservation after the evicted one has released its values.
 *
 * <p><b>Bounded.</b> For any number of names there are about {@code maxGenerators} generators.
 * There are more while subscribers wait for values of more sequences than that, and while evicted
 * generators release their values. Handles are not retained.
 *
 * <p><b>Admission to the store.</b> At most {@code maxConcurrentReservations} reservations and
 * releases run at a time, over all generators. The others wait for admission, first come, first
 * served. Each generator has at most one waiting request, which holds no thread. {@code
 * reservationTimeout}, the backoff and the meters start with the admission, and the block is sized
 * then. A subscriber's {@code acquireTimeout} includes the wait for admission.
 *
 * <p><b>Cost.</b> A subscription to a handle reads two more fields than one to a generator from
 * {@link SequenceGenerator#builder}. It takes no lock, reads no clock, and needs a look-up only
 * after an eviction. {@link #get(String)} is a look-up. For a sequence that has no generator and is
 * not configured by its exact name, it also matches each template.
 *
 * <p>Thread-safe.
 */
public final class SequenceGenerators implements Disposable {

  private final NamedOptions options;
  private final NamedGenerators generators;

  SequenceGenerators(NamedOptions options, NamedGenerators generators) {
    this.options = options;
    this.generators = generators;
  }

  /**
   * Returns a builder for generators by name.
   *
   * @param store the store that keeps the counters
   * @return a builder with no sequence and every option at its default
   */
  public static SequenceGeneratorsBuilder builder(SequenceStore store) {
    return new SequenceGeneratorsBuilder(store);
  }

  /**
   * Returns a handle of the generator of a name, without creating the generator. The handle is
   * thread-safe, and valid as long as this object.
   *
   * <p>The handle behaves like any {@link SequenceGenerator}, with these differences:
   *
   * <ul>
   *   <li>Its publishers also fail with any exception of the functions that set the options.
   *   <li>{@link SequenceGenerator#snapshot()} is that of the current generator, or all zeros if
   *       there is none. It does not create one.
   *   <li>{@link SequenceGenerator#disposeLater()} evicts the generator if it is idle, and
   *       completes when its values are released. The handle stays valid.
   * </ul>
   *
   * @param name the name of the sequence
   * @return a new handle
   * @throws IllegalArgumentException if no sequence or template is configured for the name, and the
   *     builder does not allow any name; or if the name is blank or contains a brace
   */
  public SequenceGenerator get(String name) {
    if (!generators.has(name)) {
      options.find(name);
    }
    return generators.handle(name);
  }

  /**
   * Returns a handle of the generator whose name is a template with its placeholders filled in:
   * {@code forTemplate("orders/{tenant}", "acme")} is {@code get("orders/acme")}. Rejects a value
   * that would lead to another tenant's sequence.
   *
   * @param template a template, configured or not
   * @param values the values of its placeholders, from left to right; none may be blank or contain
   *     {@code /}, <code>{</code> or <code>}</code>
   * @return a new handle, as from {@link #get(String)}
   * @throws IllegalArgumentException if {@code template} is not a template or has another number of
   *     placeholders, if a value is rejected, or if {@link #get(String)} rejects the resulting name
   */
  public SequenceGenerator forTemplate(String template, String... values) {
    SequenceTemplate known = options.template(template);
    return get((known == null ? SequenceTemplate.parse(template) : known).fill(values));
  }

  /** For tests. */
  NamedGenerators live() {
    return generators;
  }

  /**
   * {@return the names of the configured sequences, without templates, in the order of their
   * configuration}
   */
  public List<String> names() {
    return options.names();
  }

  /**
   * Returns a snapshot of each current generator. The counts of evicted generators are lost.
   *
   * @return the snapshots, ordered by name
   */
  public List<SequenceGeneratorSnapshot> snapshots() {
    return generators.snapshots();
  }

  /**
   * Shuts all generators down, idle or not, as described for {@link
   * SequenceGenerator#disposeLater()}. Releases of values wait for admission to the store.
   *
   * <p>Nothing happens before subscription. The first subscription starts the shutdown; all
   * subscriptions complete with it, and cancelling one does not stop it.
   *
   * @return completes when nothing is in flight. Never fails
   */
  public Mono<Void> disposeLater() {
    return generators.close();
  }

  /** Subscribes to {@link #disposeLater()} and returns without waiting. */
  @Override
  public void dispose() {
    disposeLater().subscribe();
  }

  /**
   * {@return whether the shutdown has begun: {@link #dispose()} was called or {@link
   * #disposeLater()} subscribed to}
   */
  @Override
  public boolean isDisposed() {
    return generators.isClosing();
  }
}
