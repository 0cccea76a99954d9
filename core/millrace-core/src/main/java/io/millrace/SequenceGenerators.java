package io.millrace;

import static io.millrace.internal.Ranges.inRange;

import io.millrace.engine.GeneratorConfig;
import io.millrace.engine.NamedGenerators;
import io.millrace.internal.LogSafe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
 *         .template("orders", options -> options.blockSize(100).createMissing(1))
 *         .build();
 *
 * Mono<Long> invoice = generators.get("invoices").next();
 * Mono<Long> order = generators.forTemplate("orders", "acme").next();
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
 * There are more while more than that are not idle, and while evicted generators release their
 * values. Handles are not retained.
 *
 * <p><b>Load of the store.</b> Each generator has at most one reservation or release in flight. The
 * connection pool of the store limits how many run at a time.
 *
 * <p><b>Cost.</b> A subscription to a handle takes no lock, reads no clock, and needs a look-up
 * only after an eviction. {@link #get(String)} is a look-up, or up to three for a sequence that has
 * no generator.
 *
 * <p>Thread-safe.
 */
public final class SequenceGenerators implements Disposable {

  /** Separates the name of a template from the key of one of its sequences. */
  private static final char SEPARATOR = '/';

  private static final Consumer<SequenceGeneratorBuilder> NONE = builder -> {};

  private final SequenceStore store;
  private final Map<String, Consumer<SequenceGeneratorBuilder>> sequences;
  private final Map<String, Consumer<SequenceGeneratorBuilder>> templates;

  /** The options of a name that is not configured; null if it is refused. */
  private final @Nullable Consumer<SequenceGeneratorBuilder> anyName;

  /** Applied before the options of a name. */
  private final Consumer<SequenceGeneratorBuilder> defaults;

  private final NamedGenerators generators;

  /** Copies the options: the builder may be changed later. */
  private SequenceGenerators(Builder builder) {
    Scheduler clock = builder.scheduler;
    Consumer<SequenceGeneratorBuilder> first = options -> options.scheduler(clock);
    store = builder.store;
    sequences = new LinkedHashMap<>(builder.sequences);
    templates = new LinkedHashMap<>(builder.templates);
    anyName = builder.anyName;
    defaults = first.andThen(builder.defaults).andThen(SequenceGeneratorBuilder::becomeDefaults);
    generators =
        new NamedGenerators(
            name -> config(name, find(name)), builder.maxGenerators, clock, builder.idleAfter);
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
   *     builder does not allow any name; or if the name is blank
   */
  public SequenceGenerator get(String name) {
    if (!generators.has(name)) {
      find(name);
    }
    return generators.handle(name);
  }

  /**
   * Returns a handle of the generator of one sequence of a template: {@code forTemplate("orders",
   * "acme")} is {@code get("orders/acme")}. Rejects a key that would lead to another sequence.
   *
   * @param template the name of a template, configured or not
   * @param key the key of the sequence; neither blank nor with a control character or {@code /}
   * @return a new handle, as from {@link #get(String)}
   * @throws IllegalArgumentException if the key is rejected, or if {@link #get(String)} rejects the
   *     resulting name
   */
  public SequenceGenerator forTemplate(String template, String key) {
    if (!isKey(key)) {
      throw new IllegalArgumentException(
          "a key of the template "
              + LogSafe.quote(template)
              + " must not be blank or contain '/' or a control character, was "
              + LogSafe.quote(key));
    }
    return get(template + SEPARATOR + key);
  }

  private static boolean isKey(String key) {
    return !key.isBlank()
        && key.indexOf(SEPARATOR) < 0
        && key.chars().noneMatch(Character::isISOControl);
  }

  /** The options of the sequence with this name, else of its template, else none. */
  private Consumer<SequenceGeneratorBuilder> find(String name) {
    Consumer<SequenceGeneratorBuilder> found = sequences.get(name);
    if (found == null) {
      found = findTemplate(SequenceGeneratorBuilder.requireNotBlank(name));
    }
    if (found == null) {
      throw new IllegalArgumentException(
          "no sequence or template is configured for the name "
              + LogSafe.quote(name)
              + "; there are sequences "
              + sequences.keySet().stream().map(LogSafe::name).toList()
              + ", templates "
              + templates.keySet().stream().map(LogSafe::name).toList()
              + "; add it to the builder, or allow any name there");
    }
    return found;
  }

  private @Nullable Consumer<SequenceGeneratorBuilder> findTemplate(String name) {
    int separator = name.lastIndexOf(SEPARATOR);
    return separator >= 0 && isKey(name.substring(separator + 1))
        ? templates.getOrDefault(name.substring(0, separator), anyName)
        : anyName;
  }

  /** Calls the user's functions that set the options. */
  private GeneratorConfig config(String name, Consumer<SequenceGeneratorBuilder> options) {
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(store, name);
    defaults.accept(builder);
    options.accept(builder);
    return builder.config();
  }

  /** Checks all options now, instead of when they are first used. */
  private void check() {
    sequences.forEach(this::check);
    templates.forEach(this::check);
    if (anyName != null) {
      check("any name", anyName);
    }
  }

  private void check(String name, Consumer<SequenceGeneratorBuilder> options) {
    try {
      config(name, options);
    } catch (InvalidOptionException refused) {
      throw refused.in("the options of " + LogSafe.quote(name) + " are invalid: ");
    }
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
    return List.copyOf(sequences.keySet());
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
   * SequenceGenerator#disposeLater()}.
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

    private final SequenceStore store;
    private final Map<String, Consumer<SequenceGeneratorBuilder>> sequences = new LinkedHashMap<>();
    private final Map<String, Consumer<SequenceGeneratorBuilder>> templates = new LinkedHashMap<>();

    private @Nullable Consumer<SequenceGeneratorBuilder> anyName;
    private Consumer<SequenceGeneratorBuilder> defaults = NONE;
    private int maxGenerators = 1_000;
    private Duration idleAfter = Duration.ofMinutes(10);
    private Scheduler scheduler = Schedulers.parallel();

    Builder(SequenceStore store) {
      this.store = Objects.requireNonNull(store, "store");
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
     * @throws IllegalArgumentException if the name is blank or was already added
     */
    public Builder sequence(String name, Consumer<SequenceGeneratorBuilder> options) {
      add(sequences, name, options);
      return this;
    }

    /**
     * Adds a template: the options of all sequences {@code name/key}, for example one for each
     * tenant. A key is neither blank nor contains {@code /} or a control character.
     *
     * @param name the part of the names before the last {@code /}
     * @param options sets the options of a generator when it is created
     * @throws IllegalArgumentException if the name is blank or was already added
     */
    public Builder template(String name, Consumer<SequenceGeneratorBuilder> options) {
      add(templates, name, options);
      return this;
    }

    private static void add(
        Map<String, Consumer<SequenceGeneratorBuilder>> configured,
        String name,
        Consumer<SequenceGeneratorBuilder> options) {
      SequenceGeneratorBuilder.requireNotBlank(name);
      if (configured.putIfAbsent(name, Objects.requireNonNull(options, "options")) != null) {
        throw new IllegalArgumentException(LogSafe.quote(name) + " is configured twice");
      }
    }

    /**
     * Allows names that are not configured. Their generators have the default options. Without this
     * call, {@link SequenceGenerators#get} rejects such a name, which reveals a typo at once.
     */
    public Builder anyName() {
      anyName = NONE;
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
      SequenceGenerators built = new SequenceGenerators(this);
      built.check();
      return built;
    }
  }
}
