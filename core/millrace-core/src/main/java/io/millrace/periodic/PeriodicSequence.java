package io.millrace.periodic;

import io.millrace.Sequence;
import io.millrace.internal.ShownText;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Numbers that restart at 1 with each period, from the buffers of generators. Created by {@link
 * Periods#sequence}.
 *
 * <p>A number belongs to the period in which it was requested, by the clock of this process, even
 * if it is delivered after the period's end. Around midnight, processes whose clocks differ issue
 * numbers of both periods. No number of a period is issued twice.
 *
 * <p>Numbers have the gaps and the order of a {@link Sequence}: across processes they are not in
 * the order of the requests, and what is left in a buffer at the end of a period is never used. For
 * numbers without gaps, use a {@link PeriodicTransactionalSequence}.
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
   * @return the number; threads, errors and cancellation as for {@link Sequence#next()}
   */
  public Mono<PeriodicValue> next() {
    return Mono.defer(
        () -> {
          Periods.Row row = periods.now();
          return generators.apply(row.name()).next().map(row::value);
        });
  }

  /**
   * Takes several numbers of one period, at each subscription.
   *
   * @param count the number of numbers, 1 or more
   * @return the numbers, rising; threads and errors as for {@link #next()}. Also an error: {@link
   *     IllegalArgumentException} if {@code count} is below 1
   */
  public Mono<List<PeriodicValue>> next(int count) {
    return Mono.defer(
        () -> {
          Periods.Row row = periods.now();
          return generators.apply(row.name()).next(count).map(row::values);
        });
  }

  @Override
  public String toString() {
    return "PeriodicSequence[" + ShownText.name(periods.now().name()) + "]";
  }
}
