package io.millrace.spring.boot;

import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** The numbers of {@code millrace.gapless} as the properties describe them. */
record GaplessNumbers(MillraceProperties properties, ConfiguredNames names, Clock clock) {

  /**
   * Opens the row of numbers without a period.
   *
   * @throws InvalidConfigurationPropertyValueException if the store refuses the name, if a
   *     generator uses the same row and would make gaps, or if there is a property of periods
   */
  <T> T open(String name, Function<String, T> table) {
    String place = PropertyRefusal.place("gapless", name);
    MillraceProperties.Gapless own = properties.gapless(name);
    requireBuiltWithPeriod(place, own, false);
    requirePeriod(place, "zone", own.zone());
    requirePeriod(place, "format", own.format());
    if (own.startValue() > SequenceState.LARGEST_VALUE) {
      throw PropertyRefusal.of(
          place + ".start-value",
          own.startValue(),
          "it must be at most " + SequenceState.LARGEST_VALUE);
    }
    requireNoGenerator(place, name, name);
    return PropertyRefusal.naming(place, name, () -> table.apply(name));
  }

  private static void requirePeriod(String place, String property, @Nullable Object value) {
    if (value != null) {
      throw PropertyRefusal.of(
          place + "." + property,
          value,
          "it applies to numbers with a period, and there is no period: set %s, for example to year"
              .formatted(PropertyRefusal.shown(place + ".period")));
    }
  }

  /**
   * Makes the definition of numbers that restart with each period.
   *
   * @param table opens a row, and so checks its name
   * @throws InvalidConfigurationPropertyValueException as for {@link #open}, or if start value or
   *     format are refused
   */
  PeriodicNumbers periodic(String name, Function<String, ?> table) {
    String place = PropertyRefusal.place("gapless", name);
    MillraceProperties.Gapless own = properties.gapless(name);
    PeriodChoice choice = requireBuiltWithPeriod(place, own, true);
    PeriodicNumbers numbers =
        PropertyRefusal.naming(place, name, () -> PeriodicNumbers.of(name, choice.period()))
            .clock(clock)
            .zone(Objects.requireNonNullElse(own.zone(), ZoneOffset.UTC));
    PeriodicNumbers started =
        PropertyRefusal.naming(
            place + ".start-value", own.startValue(), () -> numbers.startValue(own.startValue()));
    String format = own.format();
    PeriodicNumbers formatted =
        format == null
            ? started
            : PropertyRefusal.naming(place + ".format", format, () -> started.format(format));
    String current = formatted.now().name();
    requireNoGenerator(place, name, current);
    PropertyRefusal.naming(place, name, () -> table.apply(current));
    return formatted;
  }

  /** The type of the bean follows from the period, and is fixed when the program is built. */
  private static PeriodChoice requireBuiltWithPeriod(
      String place, MillraceProperties.Gapless own, boolean isPeriodic) {
    PeriodChoice period = own.period();
    if ((period != null) != isPeriodic) {
      throw PropertyRefusal.of(
          place + ".period",
          period,
          "the program was built ahead of time %s a period: build it again"
              .formatted(isPeriodic ? "with" : "without"));
    }
    return Objects.requireNonNullElse(period, PeriodChoice.DAY);
  }

  /**
   * Generators reserve blocks, which would be gaps.
   *
   * @param row the row, or that of the current period, which is NAME/PERIOD
   */
  private void requireNoGenerator(String place, String name, String row) {
    boolean isPeriodic = !row.equals(name);
    for (String other : names.sequences()) {
      if (other.equals(name) || (isPeriodic && other.startsWith(name + "/"))) {
        throw usedBy(place, PropertyRefusal.place("sequences", other));
      }
    }
    for (String other : names.templates()) {
      if (row.startsWith(other + "/")) {
        throw usedBy(place, PropertyRefusal.place("templates", other));
      }
    }
  }

  private static InvalidConfigurationPropertyValueException usedBy(String place, String generator) {
    return PropertyRefusal.of(
        place,
        null,
        "the generator of %s reserves blocks of the same row, which makes gaps: use another name"
            .formatted(PropertyRefusal.shown(generator)));
  }

  /** In Spring's transactions. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(R2dbcTransactionManager.class)
  @ConditionalOnSingleCandidate(R2dbcSequenceStore.class)
  @ConditionalOnMissingBean(GaplessSource.class)
  static class OverR2dbc {

    @Bean
    @Lazy // made for the first sequence of millrace.gapless, if there is one
    InSpring transactionalSequences(
        R2dbcSequenceStore store,
        GaplessNumbers numbers,
        ObjectProvider<R2dbcTransactionManager> managers,
        ObjectProvider<ConnectionFactory> application) {
      return new InSpring(numbers, store, connections(managers, application));
    }

    static ConnectionFactory connections(
        ObjectProvider<R2dbcTransactionManager> managers,
        ObjectProvider<ConnectionFactory> application) {
      R2dbcTransactionManager manager = managers.getIfUnique();
      ConnectionFactory managed = manager == null ? null : manager.getConnectionFactory();
      @Nullable ConnectionFactory connections =
          managed == null ? application.getIfUnique() : managed;
      if (connections == null) {
        throw new StartFailedException(
            "Numbers of millrace.gapless are configured, and it is unclear in which transactions:"
                + " there is no single or primary bean of type R2dbcTransactionManager or"
                + " io.r2dbc.spi.ConnectionFactory.",
            "Mark one @Primary, or define the beans yourself with SpringTransactionalSequence.over.");
      }
      return connections;
    }
  }

  record InSpring(
      GaplessNumbers numbers, R2dbcSequenceStore counters, ConnectionFactory connections)
      implements GaplessSource {

    @Override
    public SpringTransactionalSequence named(String name) {
      return SpringTransactionalSequence.over(
          numbers.open(name, counters::transactional), connections);
    }

    @Override
    public SpringPeriodicNumbers periodic(String name) {
      return SpringPeriodicNumbers.over(
          numbers.periodic(name, counters::transactional), counters.transactionals(), connections);
    }
  }

  /** In transactions of Spanner's own client. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(SpannerSequenceStore.class)
  @ConditionalOnSingleCandidate(SpannerSequenceStore.class)
  @ConditionalOnMissingBean(GaplessSource.class)
  static class OverSpanner {

    @Bean
    @Lazy
    InSpanner transactionalSequences(SpannerSequenceStore store, GaplessNumbers numbers) {
      return new InSpanner(numbers, store, store::transactional);
    }
  }

  record InSpanner(
      GaplessNumbers numbers,
      SequenceStore counters,
      Function<String, TransactionalSequence<SpannerTransaction>> table)
      implements GaplessSource {

    @Override
    public TransactionalSequence<SpannerTransaction> named(String name) {
      return numbers.open(name, table);
    }

    @Override
    public PeriodicNumbers periodic(String name) {
      return numbers.periodic(name, table);
    }
  }
}
