package io.millrace.spring.boot;

import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The numbers of {@code millrace.gapless} as the properties describe them. */
record GaplessNumbers(MillraceProperties properties, ConfiguredNames names, Clock clock) {

  /**
   * Makes the bean of each name of {@code millrace.gapless}. The bean factory calls the methods;
   * the return types of the implementing class are the types of the beans.
   */
  interface Source {

    Object named(String name);

    /** Makes the bean of a name with a period. */
    Object periodic(String name);

    /** The store of the counters. */
    SequenceStore counters();
  }

  /**
   * Opens the row of numbers without a period.
   *
   * @throws StartFailedException if the store rejects the name, if a generator uses the same row
   *     and would make gaps, or if a property is set that needs a period
   */
  <T> T open(String name, Function<String, T> table) {
    String place = ConfiguredNames.place(ConfiguredNames.GAPLESS, name);
    MillraceProperties.Gapless own = properties.gapless(name);
    if (own.period() != null) {
      throw builtOtherwise(place, "without");
    }
    requirePeriod(place, "zone", own.zone());
    requirePeriod(place, "format", own.format());
    if (own.startValue() > SequenceState.LARGEST_VALUE) {
      throw StartFailedException.ofProperty(
          place + ".start-value", "it must be at most " + SequenceState.LARGEST_VALUE);
    }
    requireNoGenerator(place, name, name);
    return names.naming(place, () -> table.apply(name));
  }

  private static void requirePeriod(String place, String property, @Nullable Object value) {
    if (value != null) {
      throw StartFailedException.ofProperty(
          place + "." + property,
          "it applies to numbers with a period, and there is no period: set %s, for example to year"
              .formatted(ConfiguredNames.shown(place + ".period")));
    }
  }

  /**
   * Makes the definition of numbers that restart with each period.
   *
   * @param table opens a row, and so checks its name
   * @throws StartFailedException as for {@link #open}, or if start value or format are rejected
   */
  PeriodicNumbers periodic(
      String name, Function<String, ? extends TransactionalSequence<?>> table) {
    String place = ConfiguredNames.place(ConfiguredNames.GAPLESS, name);
    MillraceProperties.Gapless own = properties.gapless(name);
    MillraceProperties.Period period = own.period();
    if (period == null) {
      throw builtOtherwise(place, "with");
    }
    return names.naming(
        place,
        () -> {
          PeriodicNumbers numbers =
              PeriodicNumbers.of(name, period.value())
                  .clock(clock)
                  .zone(Objects.requireNonNullElse(own.zone(), ZoneOffset.UTC))
                  .startValue(own.startValue());
          requireNoGenerator(place, name, table.apply(numbers.now().name()).name());
          return own.format() == null ? numbers : numbers.format(own.format());
        });
  }

  /** The build ahead of time fixes the type of the bean, which depends on the period. */
  private static StartFailedException builtOtherwise(String place, String how) {
    return StartFailedException.ofProperty(
        place + ".period",
        "the program was built ahead of time " + how + " a period: build it again");
  }

  /**
   * Rejects generators of the same row: they reserve blocks, which would be gaps.
   *
   * @param row the row; with a period, the row of the current one, NAME/PERIOD
   */
  private void requireNoGenerator(String place, String name, String row) {
    boolean isPeriodic = !row.equals(name);
    Stream<String> sequences =
        names.in(ConfiguredNames.SEQUENCES).stream()
            .filter(other -> other.equals(name) || (isPeriodic && other.startsWith(name + "/")))
            .map(other -> ConfiguredNames.place(ConfiguredNames.SEQUENCES, other));
    Stream<String> templates =
        names.in(ConfiguredNames.TEMPLATES).stream()
            .filter(other -> row.startsWith(other + "/"))
            .map(other -> ConfiguredNames.place(ConfiguredNames.TEMPLATES, other));
    Stream.concat(sequences, templates)
        .findFirst()
        .ifPresent(
            generator -> {
              throw StartFailedException.ofProperty(
                  place,
                  "the generator of %s reserves blocks of the same row, which makes gaps: use another name"
                      .formatted(ConfiguredNames.shown(generator)));
            });
  }
}
