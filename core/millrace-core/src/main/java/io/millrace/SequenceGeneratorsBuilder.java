package io.millrace;

import io.millrace.engine.NamedGenerators;
import io.millrace.engine.NamedOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Configures {@link SequenceGenerators}. Each setter rejects a value outside its range; {@link
 * #build()} checks the options of the generators.
 *
 * <p>The options of a generator are set by functions: first the defaults, then those of the
 * sequence or template. They are called whenever the generator is created, also after an eviction,
 * on the thread of the subscriber that needs it.
 *
 * <p>Not thread-safe. May build any number of objects.
 */
public final class SequenceGeneratorsBuilder {

  private static final Duration LONGEST = Duration.ofDays(365);

  private final NamedOptions options;

  private Consumer<SequenceGeneratorBuilder> defaults = builder -> {};
  private int maxGenerators = 1_000;
  private int maxConcurrentReservations = 8;
  private Duration idleAfter = Duration.ofMinutes(10);
  private Scheduler scheduler = Schedulers.parallel();

  SequenceGeneratorsBuilder(SequenceStore store) {
    this.options =
        new NamedOptions(Objects.requireNonNull(store, "store"), SequenceGeneratorBuilder::config);
  }

  /**
   * Sets options of all generators. The options of a sequence or template override them, even if
   * one has {@link SequenceGeneratorBuilder#adaptive adaptive} sizes and the other fixed ones. May
   * be called several times; the functions are applied in the order of the calls. Defaults to the
   * defaults of {@link SequenceGeneratorBuilder}.
   *
   * @param options sets the options of a generator when it is created
   * @return this builder
   */
  public SequenceGeneratorsBuilder defaults(Consumer<SequenceGeneratorBuilder> options) {
    this.defaults = defaults.andThen(options);
    return this;
  }

  /**
   * Adds a sequence.
   *
   * @param name its name in the store; takes precedence over any template
   * @param options sets the options of its generator when it is created
   * @return this builder
   * @throws IllegalArgumentException if the name is blank, contains a brace, or was already added
   */
  public SequenceGeneratorsBuilder sequence(
      String name, Consumer<SequenceGeneratorBuilder> options) {
    this.options.addSequence(name, options);
    return this;
  }

  /**
   * Adds a template of sequence names, for example {@code orders/{tenant}}. A template consists of
   * parts separated by {@code /}. At least one part has a placeholder, and no part has two. A
   * placeholder is a name in braces: a letter, then letters, digits or {@code _}. It matches text
   * that is not blank and contains neither {@code /} nor a brace.
   *
   * <p>If several templates match a name, the most specific wins. Templates are compared part by
   * part from the left: plain text wins over a placeholder, and more text around a placeholder wins
   * over less.
   *
   * @param template the template
   * @param options sets the options of a generator when it is created
   * @return this builder
   * @throws IllegalArgumentException if this is not a template, or if one that matches the same
   *     names was already added
   */
  public SequenceGeneratorsBuilder template(
      String template, Consumer<SequenceGeneratorBuilder> options) {
    this.options.addTemplate(template, options);
    return this;
  }

  /**
   * Allows names that are not configured. Their generators have the default options. Without this
   * call, {@link SequenceGenerators#get} rejects such a name, which reveals a typo at once.
   *
   * @return this builder
   */
  public SequenceGeneratorsBuilder anyName() {
    this.options.allowAnyName();
    return this;
  }

  /**
   * Sets the approximate limit on generators. If a subscriber needs one more, about the least
   * recently used idle generator is evicted. If none is found idle, the limit is exceeded for now.
   * Defaults to 1,000 generators; 0 is rejected.
   *
   * <p>Evicted generators that are still releasing their values do not count, but are not yet
   * {@linkplain SequenceMetricsRecorder#closed closed}: with a limit of 5, meters may show 8 for a
   * moment.
   *
   * @param generators from 1 to 1,000,000
   * @return this builder
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorsBuilder maxGenerators(int generators) {
    this.maxGenerators = inRange("maxGenerators", generators, 1_000_000);
    return this;
  }

  /**
   * Sets how many reservations and releases may run at a time, over all generators. A store with a
   * connection pool needs as many connections. A request that timed out is cancelled and no longer
   * counts, although the database may still be working on it. Defaults to 8 requests; 0 is
   * rejected, {@link Integer#MAX_VALUE} means no limit.
   *
   * @param requests 1 or more
   * @return this builder
   * @throws InvalidOptionException if below 1
   */
  public SequenceGeneratorsBuilder maxConcurrentReservations(int requests) {
    this.maxConcurrentReservations =
        inRange("maxConcurrentReservations", requests, Integer.MAX_VALUE);
    return this;
  }

  /**
   * Sets how long a generator is kept without use. It is evicted after this time, or up to a
   * quarter of it later. Defaults to 10 minutes. 0 means no limit: only {@link #maxGenerators(int)}
   * causes evictions.
   *
   * @param time 0, or from 1 ms to 365 days
   * @return this builder
   * @throws InvalidOptionException if outside that range
   */
  public SequenceGeneratorsBuilder idleAfter(Duration time) {
    boolean inRange = time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) <= 0;
    if (!inRange && !time.isZero()) {
      throw new InvalidOptionException(
          "idleAfter", time, "must be 0, or from PT0.001S to " + LONGEST);
    }
    this.idleAfter = time;
    return this;
  }

  /**
   * Sets the scheduler that evicts idle generators, which is also the default scheduler of the
   * generators. Defaults to {@link Schedulers#parallel()}.
   *
   * @param scheduler a scheduler that supports delays; the generators do not dispose it
   * @return this builder
   */
  public SequenceGeneratorsBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return this;
  }

  /**
   * Builds the object without creating a generator or sending a request to the store. Calls the
   * functions of each sequence and template once, to check the options that they set.
   *
   * @return generators by name
   * @throws InvalidOptionException if the options of a sequence or template exclude each other, or
   *     one is outside its range
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
        new NamedGenerators(complete, maxGenerators, maxConcurrentReservations, clock, idleAfter));
  }

  private static int inRange(String option, int value, int max) {
    if (value < 1 || value > max) {
      throw new InvalidOptionException(option, value, "must be from 1 to " + max);
    }
    return value;
  }
}
