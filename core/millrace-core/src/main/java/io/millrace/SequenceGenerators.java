package io.millrace;

import static io.millrace.internal.Ranges.inRange;

import io.millrace.engine.NamedGenerators;
import io.millrace.engine.NamedOptions;
import io.millrace.engine.SequenceTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

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
  public static Builder builder(SequenceStore store) {
    return new Builder(store);
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

  /**
   * Configures {@link SequenceGenerators}. Each setter rejects a value outside its range; {@link
   * #build()} checks the options of the generators.
   *
   * <p>The options of a generator are set by functions: first the defaults, then those of the
   * sequence or template. They are called whenever the generator is created, also after an
   * eviction, on the thread of the subscriber that needs it.
   *
   * <p>Not thread-safe. May build any number of objects.
   */
  public static final class Builder {

    private final NamedOptions options;

    private Consumer<SequenceGeneratorBuilder> defaults = builder -> {};
    private int maxGenerators = 1_000;
    private int maxConcurrentReservations = 8;
    private Duration idleAfter = Duration.ofMinutes(10);
    private Scheduler scheduler = Schedulers.parallel();

    Builder(SequenceStore store) {
      this.options =
          new NamedOptions(
              Objects.requireNonNull(store, "store"), SequenceGeneratorBuilder::config);
    }

    /**
     * Sets options of all generators. The options of a sequence or template override them, even if
     * one has {@link SequenceGeneratorBuilder#adaptive adaptive} sizes and the other fixed ones.
     * May be called several times; the functions are applied in the order of the calls. Defaults to
     * the defaults of {@link SequenceGeneratorBuilder}.
     *
     * @param options sets the options of a generator when it is created
     */
    public Builder defaults(Consumer<SequenceGeneratorBuilder> options) {
      this.defaults = defaults.andThen(options);
      return this;
    }

    /**
     * Adds a sequence.
     *
     * @param name its name in the store; takes precedence over any template
     * @param options sets the options of its generator when it is created
     * @throws IllegalArgumentException if the name is blank, contains a brace, or was already added
     */
    public Builder sequence(String name, Consumer<SequenceGeneratorBuilder> options) {
      this.options.addSequence(name, options);
      return this;
    }

    /**
     * Adds a template of sequence names, for example {@code orders/{tenant}}. A template consists
     * of parts separated by {@code /}. At least one part has a placeholder, and no part has two. A
     * placeholder is a name in braces: a letter, then letters, digits or {@code _}. It matches text
     * that is not blank and contains neither {@code /} nor a brace.
     *
     * <p>If several templates match a name, the most specific wins. Templates are compared part by
     * part from the left: plain text wins over a placeholder, and more text around a placeholder
     * wins over less.
     *
     * @param options sets the options of a generator when it is created
     * @throws IllegalArgumentException if this is not a template, or if one that matches the same
     *     names was already added
     */
    public Builder template(String template, Consumer<SequenceGeneratorBuilder> options) {
      this.options.addTemplate(template, options);
      return this;
    }

    /**
     * Allows names that are not configured. Their generators have the default options. Without this
     * call, {@link SequenceGenerators#get} rejects such a name, which reveals a typo at once.
     */
    public Builder anyName() {
      this.options.allowAnyName();
      return this;
    }

    /**
     * Sets the approximate limit on generators. If a subscriber needs one more, about the least
     * recently used idle generator is evicted. If none is found idle, the limit is exceeded for
     * now. Defaults to 1,000 generators; 0 is rejected.
     *
     * <p>Evicted generators that are still releasing their values do not count, but are not yet
     * {@linkplain SequenceMetricsRecorder#closed closed}: with a limit of 5, meters may show 8 for
     * a moment.
     *
     * @param generators from 1 to 1,000,000
     * @throws InvalidOptionException if outside that range
     */
    public Builder maxGenerators(int generators) {
      this.maxGenerators = inRange("maxGenerators", generators, 1, 1_000_000);
      return this;
    }

    /**
     * Sets how many reservations and releases may run at a time, over all generators. A store with
     * a connection pool needs as many connections. A request that timed out is cancelled and no
     * longer counts, although the database may still be working on it. Defaults to 8 requests; 0 is
     * rejected, {@link Integer#MAX_VALUE} means no limit.
     *
     * @param requests 1 or more
     * @throws InvalidOptionException if below 1
     */
    public Builder maxConcurrentReservations(int requests) {
      this.maxConcurrentReservations =
          inRange("maxConcurrentReservations", requests, 1, Integer.MAX_VALUE);
      return this;
    }

    /**
     * Sets how long a generator is kept without use. It is evicted after this time, or up to a
     * quarter of it later. Defaults to 10 minutes. 0 means no limit: only {@link
     * #maxGenerators(int)} causes evictions.
     *
     * @param time 0, or from 1 ms to 365 days
     * @throws InvalidOptionException if outside that range
     */
    public Builder idleAfter(Duration time) {
      if (!time.isZero()) {
        inRange("idleAfter", time, Duration.ofMillis(1));
      }
      this.idleAfter = time;
      return this;
    }

    /**
     * Sets the scheduler that evicts idle generators, which is also the default scheduler of the
     * generators. Defaults to {@link Schedulers#parallel()}.
     *
     * @param scheduler a scheduler that supports delays; the generators do not dispose it
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    /**
     * Builds the object without creating a generator or sending a request to the store. Calls the
     * functions of each sequence and template once, to check the options that they set.
     *
     * @throws InvalidOptionException if the options of a sequence or template exclude each other,
     *     or one is outside its range
     */
    public SequenceGenerators build() {
      Scheduler clock = scheduler;
      Consumer<SequenceGeneratorBuilder> first = builder -> builder.scheduler(clock);
      NamedOptions complete =
          new NamedOptions(
              options, first.andThen(defaults).andThen(SequenceGeneratorBuilder::becomeDefaults));
      complete.check();
      return new SequenceGenerators(
          complete,
          new NamedGenerators(
              complete, maxGenerators, maxConcurrentReservations, clock, idleAfter));
    }
  }
}
