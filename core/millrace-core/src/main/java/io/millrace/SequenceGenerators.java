package io.millrace;

import io.millrace.engine.NamedGenerators;
import io.millrace.engine.NamedOptions;
import io.millrace.engine.SequenceTemplate;
import java.util.List;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Generators by name, on one {@link SequenceStore}: for a program with many sequences, or with one
 * sequence for each tenant.
 *
 * <pre>{@code
 * SequenceGenerators generators =
 *     SequenceGenerators.builder(store)
 *         .defaults(options -> options.batchSize(1_000))
 *         .sequence("invoices", options -> options.batchSize(1))
 *         .template("orders/{tenant}", options -> options.batchSize(100).createMissing(1))
 *         .build();
 *
 * Mono<Long> invoice = generators.get("invoices").next();
 * Mono<Long> order = generators.forTemplate("orders/{tenant}", "acme").next();
 * }</pre>
 *
 * <p><b>Made when used.</b> {@link #get(String)} returns a handle and makes no generator. The first
 * subscription to a handle makes the generator; all handles of a name share it.
 *
 * <p><b>Evicted when idle.</b> A generator is evicted when it was not used for {@code idleAfter},
 * or when there are more than {@code maxGenerators} and it is about the least recently used. It
 * gives the end of its newest block back to the store and is removed. Values that subscribers gave
 * back to it, too late to be part of that end, are a gap.
 *
 * <p>A generator is idle while no subscriber waits and no reservation is in flight. An open stream
 * without demand does not keep its generator. No subscription fails because of an eviction: handles
 * and subscriptions stay valid, and go on with a new generator, which reserves its first values
 * after the values of the evicted one are given back.
 *
 * <p><b>Bounded.</b> For any number of names there are about {@code maxGenerators} generators.
 * There may be more for a moment: those in use, if subscribers wait at more sequences than that,
 * and those that are giving their values back. This object does not keep the handles.
 *
 * <p><b>Admission to the store.</b> At most {@code maxConcurrentReservations} reservations and
 * releases are under way at a time, over all generators. The others wait for admission, first come,
 * first served. Each generator has at most one request that waits, and a waiting request holds no
 * thread. {@code reservationTimeout}, the backoff and the meters start with the admission, and the
 * block is sized then. The wait for admission is part of a subscriber's wait, which {@code
 * acquireTimeout} bounds.
 *
 * <p><b>Cost.</b> A subscription to a handle reads two fields more than one to a generator from
 * {@link SequenceGenerator#builder}. There is no lock and no reading of a clock, and a look-up only
 * after an eviction. {@link #get(String)} costs a look-up. If the sequence has no generator and is
 * not configured by its exact name, it also costs a comparison with each template.
 *
 * <p>Safe for use by any number of threads.
 */
public final class SequenceGenerators implements Disposable {

  private final NamedOptions options;
  private final NamedGenerators generators;

  SequenceGenerators(NamedOptions options, NamedGenerators generators) {
    this.options = options;
    this.generators = generators;
  }

  /**
   * Starts the configuration of generators by name.
   *
   * @param store where the counters are
   * @return a builder with nothing configured and every option at its default
   */
  public static SequenceGeneratorsBuilder builder(SequenceStore store) {
    return new SequenceGeneratorsBuilder(store);
  }

  /**
   * Returns a handle of the generator of a name. This makes no generator and no request to the
   * store. The handle is valid as long as this object. Any number of threads may use it.
   *
   * <p>The handle does what every {@link SequenceGenerator} does, with these differences:
   *
   * <ul>
   *   <li>Its publishers also fail with what the functions that set the options throw.
   *   <li>{@link SequenceGenerator#snapshot()} shows the current generator, and zeros while there
   *       is none. It makes no generator.
   *   <li>{@link SequenceGenerator#disposeLater()} evicts the generator if it is idle, and
   *       completes when its values are given back. The handle stays valid: there is nothing to end
   *       but the generators, which {@link #disposeLater()} of this object ends.
   * </ul>
   *
   * @param name the name of the sequence
   * @return a new handle
   * @throws SequenceNotConfiguredException if no sequence or template is configured for the name,
   *     and the builder does not allow any name
   * @throws IllegalArgumentException if the name is blank or contains a brace
   */
  public SequenceGenerator get(String name) {
    if (!generators.has(name)) {
      options.find(name);
    }
    return generators.handle(name);
  }

  /**
   * Returns a handle of the generator whose name is a template with values for its placeholders:
   * {@code forTemplate("orders/{tenant}", "acme")} is {@code get("orders/acme")}. It refuses a
   * value that would make the name of another tenant's sequence.
   *
   * @param template a template, configured or not
   * @param values the values of its placeholders, from left to right; none may be blank or contain
   *     {@code /}, <code>{</code> or <code>}</code>
   * @return a new handle, as from {@link #get(String)}
   * @throws SequenceNotConfiguredException as {@link #get(String)}, for the resulting name
   * @throws IllegalArgumentException if {@code template} is not a template or has another number of
   *     placeholders, or if a value is refused
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
   * Returns the names of the configured sequences. A template has no names.
   *
   * @return the names, in the order of their configuration
   */
  public List<String> names() {
    return options.names();
  }

  /**
   * Returns what each current generator holds and has done since it was made. The figures of an
   * evicted generator are lost.
   *
   * @return a snapshot of each, ordered by name
   */
  public List<SequenceGeneratorSnapshot> snapshots() {
    return generators.snapshots();
  }

  /**
   * Disposes all generators, idle or not, as {@link SequenceGenerator#disposeLater()} says. Waiting
   * and later subscribers fail with {@link SequenceDisposedException}. The releases of values wait
   * for admission to the store.
   *
   * <p>Nothing happens before subscription. The shutdown begins once, whichever subscription is
   * first, and all complete with it. Cancelling a subscription does not stop the shutdown.
   *
   * @return completes when nothing is in flight. Never fails
   */
  public Mono<Void> disposeLater() {
    return generators.close();
  }

  /** Disposes all generators as {@link #disposeLater()} does, without waiting for it. */
  @Override
  public void dispose() {
    disposeLater().subscribe();
  }

  /**
   * Tells whether the shutdown has begun.
   *
   * @return true once {@link #dispose()} was called or {@link #disposeLater()} was subscribed to
   */
  @Override
  public boolean isDisposed() {
    return generators.isClosing();
  }
}
