package io.millrace.simulate;

import io.millrace.simulate.Scenario.LockOrder;
import io.millrace.simulate.Scenario.Pattern;
import io.millrace.simulate.Scenario.RowChoice;
import io.millrace.simulate.Scenario.Start;

/** Scenarios to begin with. */
final class Scenarios {

  static final long MILLISECOND = 1_000_000;
  static final long SECOND = 1_000 * MILLISECOND;

  private Scenarios() {}

  /** On one row, first come, first served, from empty buffers on, for ten minutes. */
  static Scenario of(
      int instances, double rate, Delay service, Delay roundTrip, long block, long watermark) {
    return new Scenario(
        instances,
        rate,
        Pattern.poisson,
        service,
        roundTrip,
        1,
        RowChoice.two,
        LockOrder.fifo,
        block,
        watermark,
        10_000,
        Start.cold,
        600 * SECOND,
        7);
  }

  static Scenario lasting(Scenario scenario, long seconds) {
    return vary(
        scenario,
        scenario.pattern(),
        scenario.choice(),
        scenario.lockOrder(),
        scenario.maxBlock(),
        seconds);
  }

  static Scenario vary(
      Scenario from,
      Pattern pattern,
      RowChoice choice,
      LockOrder lockOrder,
      long maxBlock,
      long seconds) {
    return new Scenario(
        from.instances(),
        from.rate(),
        pattern,
        from.service(),
        from.roundTrip(),
        from.rows(),
        choice,
        lockOrder,
        from.block(),
        from.watermark(),
        maxBlock,
        from.start(),
        seconds * SECOND,
        from.seed());
  }

  static Scenario warm(Scenario from) {
    return from.withStart(Start.warm);
  }
}
