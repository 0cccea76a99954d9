package io.millrace;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Configures {@link SequenceGenerators}. Each option refuses a value outside its range when it is
 * set; {@link #build()} refuses options of generators that are refused there.
 *
 * <p>The options of a generator are set by functions, which are called when it is built, on the
 * thread of the subscriber that needs it, and again after an eviction: first the defaults, then
 * those of the sequence or template.
 *
 * <p>Not safe for use by several threads at once. May be built from more than once.
 */
public final class SequenceGeneratorsBuilder {

  private static final Duration LONGEST = Duration.ofDays(365);

  private final SequenceStore store;
  private final NamedOptions options = new NamedOptions();

  private Consumer<SequenceGeneratorBuilder> defaults = builder -> {};
  private int maxGenerators = 1_000;
  private int maxConcurrentReservations = 8;
  private Duration idleAfter = Duration.ofMinutes(10);
  private Scheduler scheduler = Schedulers.parallel();

  SequenceGeneratorsBuilder(SequenceStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * Options of every generator, before those of its sequence or template, which win: also where the
   * one kind is {@link SequenceGeneratorBuilder#adaptive adaptive} and the other has fixed sizes.
   * May be called more than once; the later call goes second. Defaults to those of {@link
   * SequenceGeneratorBuilder}.
   *
   * @param options sets options of a generator that is being made
   * @return this builder
   */
  public SequenceGeneratorsBuilder defaults(Consumer<SequenceGeneratorBuilder> options) {
    this.defaults = defaults.andThen(options);
    return this;
  }

  /**
   * Adds a sequence.
   *
   * @param name its name in the store; it is matched before any template
   * @param options sets options of its generator, when that is made
   * @return this builder
   * @throws IllegalArgumentException if the name is blank, has a brace in it, or was added already
   */
  public SequenceGeneratorsBuilder sequence(
      String name, Consumer<SequenceGeneratorBuilder> options) {
    this.options.addSequence(name, options);
    return this;
  }

  /**
   * Adds a family of sequences, for example {@code orders/{tenant}}: parts separated by {@code /},
   * at least one of them with a placeholder, none with two. A placeholder is a name in braces, a
   * letter and then letters, digits or {@code _}, and stands for text that is not blank and has
   * neither {@code /} nor a brace in it.
   *
   * <p>Of several templates that match a name, the most specific wins: from the left, part by part,
   * plain text goes before a placeholder, and more text around a placeholder before less.
   *
   * @param template the template
   * @param options sets options of a generator, when it is made
   * @return this builder
   * @throws IllegalArgumentException if this is no template, or one that matches the same names was
   *     added already
   */
  public SequenceGeneratorsBuilder template(
      String template, Consumer<SequenceGeneratorBuilder> options) {
    this.options.addTemplate(template, options);
    return this;
  }

  /**
   * Allows names for which nothing is configured; their generators have the defaults. Without this,
   * they are refused with {@link SequenceNotConfiguredException}, so that a slip in a name shows at
   * once.
   *
   * @return this builder
   */
  public SequenceGeneratorsBuilder anyName() {
    this.options.allowAnyName();
    return this;
  }

  /**
   * How many generators there may be. When there are so many and a subscriber needs another, the
   * least recently used one that is idle is evicted (of those used by several threads at once, one
   * of the least recently used); if none is idle, the subscriber fails with {@link
   * SequenceGeneratorLimitException}. Defaults to 1,000 generators; 0 is refused.
   *
   * @param generators from 1 to 1,000,000
   * @return this builder
   * @throws IllegalArgumentException if outside that range
   */
  public SequenceGeneratorsBuilder maxGenerators(int generators) {
    this.maxGenerators = inRange("maxGenerators", generators, 1_000_000);
    return this;
  }

  /**
   * How many reservations and give-backs may be under way at a time, over all generators; a store
   * with a pool of connections needs as many. A request that timed out is cancelled and counts no
   * more, though the database may still work on it. Defaults to 8 requests; 0 is refused, {@link
   * Integer#MAX_VALUE} is no limit.
   *
   * @param requests 1 or more
   * @return this builder
   * @throws IllegalArgumentException if below 1
   */
  public SequenceGeneratorsBuilder maxConcurrentReservations(int requests) {
    this.maxConcurrentReservations =
        inRange("maxConcurrentReservations", requests, Integer.MAX_VALUE);
    return this;
  }

  /**
   * After what time without use a generator is evicted, at the earliest; a quarter of that time
   * later, at the latest. Defaults to 10 minutes. 0 means never: only {@link #maxGenerators(int)}
   * evicts.
   *
   * @param time 0, or from 1 ms to 365 days
   * @return this builder
   * @throws IllegalArgumentException if outside that range
   */
  public SequenceGeneratorsBuilder idleAfter(Duration time) {
    boolean inRange = time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) <= 0;
    if (!inRange && !time.isZero()) {
      throw new IllegalArgumentException(
          "idleAfter must be 0, or from PT0.001S to " + LONGEST + ", was " + time);
    }
    this.idleAfter = time;
    return this;
  }

  /**
   * The scheduler on which idle generators are looked for, and subscriptions begin that found
   * another thread making or evicting generators; and the one that generators have unless their
   * options name another. Defaults to {@link Schedulers#parallel()}.
   *
   * @param scheduler a scheduler that supports delays; the generators do not dispose it
   * @return this builder
   */
  public SequenceGeneratorsBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return this;
  }

  /**
   * Builds the generators' home. It makes no generator and asks the store for nothing; the options
   * of each sequence and template are tried out.
   *
   * @return generators by name
   * @throws IllegalArgumentException if the options of a sequence or template exclude each other,
   *     or one is outside its range
   */
  public SequenceGenerators build() {
    Scheduler clock = scheduler;
    Consumer<SequenceGeneratorBuilder> first = builder -> builder.scheduler(clock);
    SequenceGenerators generators =
        new SequenceGenerators(
            store,
            new NamedOptions(options),
            first.andThen(defaults).andThen(SequenceGeneratorBuilder::becomeDefaults),
            new LiveGenerators(
                maxGenerators,
                new ReservationBulkhead(maxConcurrentReservations),
                clock,
                idleAfter));
    generators.check();
    return generators;
  }

  private static int inRange(String option, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(option + " must be from 1 to " + max + ", was " + value);
    }
    return value;
  }
}
