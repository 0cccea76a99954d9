package io.millrace;

import java.util.List;
import java.util.function.Consumer;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Generators by name, over one {@link SequenceStore}: for a program with many sequences, or with a
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
 * <p><b>Made when used.</b> {@link #get(String)} returns a handle and makes nothing. A generator is
 * made when the first of its handles is subscribed to; all handles of a name share it.
 *
 * <p><b>Evicted when idle.</b> A generator that nobody has used for {@code idleAfter}, or the least
 * recently used one that is idle when there are {@code maxGenerators} and another is needed, gives
 * the end of its newest block back to the store and is dropped. It is idle while nobody is
 * subscribed to anything of it: no stream of values is open, nobody waits, and no value is on its
 * way to a subscriber. A subscription to {@code next()} that has requested nothing yet, or has
 * claimed its value, does not count. Handles outlive this: the next subscription has a new
 * generator made, which asks for its first values when those of the one before are given back. No
 * subscription can fail because of an eviction.
 *
 * <p><b>Bounded.</b> Whatever names are asked for, there are at most {@code maxGenerators}
 * generators, and as many again that are giving their values back; handles are not kept.
 *
 * <p><b>Admission to the store.</b> At most {@code maxConcurrentReservations} reservations and
 * give-backs are under way at a time, over all generators. The others wait for admission, first
 * come, first served, each generator with one, and without a thread. That wait is not the store's:
 * {@code reservationTimeout}, the backoff and the meters begin with the admission, and the block is
 * sized then. It is part of a subscriber's wait, which {@code acquireTimeout} bounds.
 *
 * <p><b>Cost.</b> Over a generator of one's own, a buffered value of {@code next()} costs one
 * atomic operation. Each other subscription to a handle costs one object and four atomic
 * operations, and each value of a stream one more call. There is no lock, no clock, and no look-up
 * except after an eviction. {@link #get(String)} itself costs a look-up, and, while the sequence
 * has no generator, a comparison with each template unless a sequence is configured under that very
 * name. To find whom to evict takes a logarithm of the number of generators: those that were used
 * since they were looked at last are put back in their order then, each once, and no thread does
 * more than some hundreds of that in a row.
 *
 * <p>Safe for use by any number of threads.
 */
public final class SequenceGenerators implements Disposable {

  private final SequenceStore store;
  private final NamedOptions options;
  private final Consumer<SequenceGeneratorBuilder> defaults;
  private final LiveGenerators generators;

  SequenceGenerators(
      SequenceStore store,
      NamedOptions options,
      Consumer<SequenceGeneratorBuilder> defaults,
      LiveGenerators generators) {
    this.store = store;
    this.options = options;
    this.defaults = defaults;
    this.generators = generators;
  }

  /**
   * Starts the configuration of generators.
   *
   * @param store where the counters are
   * @return a builder with nothing configured and every option at its default
   */
  public static SequenceGeneratorsBuilder builder(SequenceStore store) {
    return new SequenceGeneratorsBuilder(store);
  }

  /**
   * Returns a handle of the generator of a name. It makes no generator and asks the store for
   * nothing; it may be kept for as long as this object, and used by any number of threads.
   *
   * <p>A subscription whose sequence has no generator may find that another thread is making or
   * evicting generators; then it is not waited for, but the subscription begins a moment later on
   * the {@linkplain SequenceGeneratorsBuilder#scheduler scheduler}, where also its errors are
   * delivered. What it requested counts as asked for then. Cancelled before, it makes no generator.
   *
   * <p>The handle does what every {@link SequenceGenerator} does, with these differences:
   *
   * <ul>
   *   <li>Its publishers fail with {@link SequenceGeneratorLimitException} too, if the sequence has
   *       no generator and there is no place for one; and with what the user's options throw.
   *   <li>{@link SequenceGenerator#snapshot()} is of the generator of the moment, and all zeros
   *       while there is none. It makes none.
   *   <li>{@link SequenceGenerator#disposeLater()} ends this handle only, as is said there: later
   *       subscriptions to it fail with {@link SequenceDisposedException}. Subscriptions that run
   *       or wait go on, also those made through it, and other handles are as they were. If nobody
   *       uses the generator its values are given back, which the returned {@code Mono} waits for;
   *       else that is left to the eviction, or to {@link #disposeLater()} here.
   * </ul>
   *
   * @param name the name of the sequence
   * @return a new handle
   * @throws SequenceNotConfiguredException if no sequence or template is configured for the name,
   *     and the builder does not allow any name
   * @throws IllegalArgumentException if the name is blank or has a brace in it
   */
  public SequenceGenerator get(String name) {
    LiveGenerator current = generators.find(name);
    if (current == null) {
      options.find(name);
    }
    return new GeneratorHandle(name, this, current);
  }

  /**
   * Returns a handle of the generator that has values in place of a template's placeholders: {@code
   * forTemplate("orders/{tenant}", "acme")} is {@code get("orders/acme")}, and refuses a tenant
   * that would reach another tenant's sequence.
   *
   * @param template a template, configured or not
   * @param values the values of its placeholders, from left to right; none may be blank or contain
   *     {@code /}, <code>{</code> or <code>}</code>
   * @return a new handle, as {@link #get(String)} does
   * @throws SequenceNotConfiguredException as {@link #get(String)}, of the name that results
   * @throws IllegalArgumentException if this is no template, if it has another number of
   *     placeholders, or if a value is refused
   */
  public SequenceGenerator forTemplate(String template, String... values) {
    SequenceTemplate known = options.template(template);
    return get((known == null ? SequenceTemplate.parse(template) : known).fill(values));
  }

  LiveGenerators live() {
    return generators;
  }

  /** The options of a name, from the user's functions. */
  SequenceGeneratorBuilder configured(String name) {
    return configured(name, options.find(name));
  }

  private SequenceGeneratorBuilder configured(
      String name, Consumer<SequenceGeneratorBuilder> named) {
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(store, name);
    defaults.accept(builder);
    named.accept(builder);
    return builder;
  }

  /** Has the options of everything that is configured refused now rather than when it is used. */
  void check() {
    options
        .all()
        .forEach(
            (text, named) -> {
              try {
                configured(text, named).config();
              } catch (IllegalArgumentException refused) {
                throw new IllegalArgumentException(
                    "the options of '" + text + "' are refused: " + refused.getMessage(), refused);
              }
            });
  }

  /**
   * Returns the names that were given to the builder one by one; a template has none.
   *
   * @return the names, in the order of their configuration
   */
  public List<String> names() {
    return options.names();
  }

  /**
   * Returns what each generator that exists now holds and has done since it was made. One that is
   * evicted takes its figures with it.
   *
   * @return a snapshot of each, ordered by name
   */
  public List<SequenceGeneratorSnapshot> snapshots() {
    return generators.snapshots();
  }

  /**
   * Disposes all generators, in use or not, each as {@link SequenceGenerator#disposeLater()} says:
   * those who wait, and those who come later, fail with {@link SequenceDisposedException}. The
   * give-backs are admitted to the store.
   *
   * <p>Nothing happens before subscription; only the first one does anything, later ones complete
   * with it. Cancelling a subscription does not stop the shutdown.
   *
   * @return completes when nothing is in flight any more. Never fails
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
   * @return true once {@link #dispose()} was called or {@link #disposeLater()} subscribed to
   */
  @Override
  public boolean isDisposed() {
    return generators.isClosing();
  }

  /** For tests: how many generators are held, those that give values back among them. */
  int held() {
    return generators.held();
  }
}
