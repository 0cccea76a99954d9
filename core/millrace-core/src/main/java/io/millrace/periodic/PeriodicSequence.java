package io.millrace.periodic;

import io.millrace.Sequence;
import io.millrace.internal.ShownText;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Numbers that start again at 1 with each period, from the buffers of generators. {@link
 * Periods#sequence} makes one.
 *
 * <p>A number belongs to the period in which it was requested, by the clock of this process, also
 * if it is delivered after the period's end. Around midnight, processes whose clocks differ give
 * numbers of both periods. No number of a period is given twice.
 *
 * <p>Numbers have the gaps and the order of a {@link Sequence}: they are not in the order of the
 * requests over all processes, and what is left in a buffer at the end of a period is never used.
 * For numbers without gaps, use a {@link PeriodicTransactionalSequence}.
 */
public final class PeriodicSequence {

  private final Periods periods;
  private final Function<String, ? extends Sequence> generators;

  PeriodicSequence(Periods periods, Function<String, ? extends Sequence> generators) {
    this.periods = periods;
    this.generators = generators;
  }

  /**
   * Takes one number, at each subscription.
   *
   * @return the number, on the thread of {@link Sequence#next()}, with its errors. A cancel before
   *     it arrives leaves it to others
   */
  public Mono<PeriodicValue> next() {
    return Mono.defer(
        () -> {
          PeriodicRow row = periods.now();
          return generators.apply(row.name()).next().map(row::value);
        });
  }

  /**
   * Takes several numbers of one period, at each subscription.
   *
   * @param count how many, 1 or more
   * @return the numbers, rising; threads and errors as for {@link #next()}. Error: {@link
   *     IllegalArgumentException} if {@code count} is out of the range of {@link
   *     Sequence#next(int)}
   */
  public Mono<List<PeriodicValue>> next(int count) {
    return Mono.defer(
        () -> {
          PeriodicRow row = periods.now();
          return generators.apply(row.name()).next(count).map(row::values);
        });
  }

  @Override
  public String toString() {
    return "PeriodicSequence[" + ShownText.name(periods.now().name()) + "]";
  }
}
