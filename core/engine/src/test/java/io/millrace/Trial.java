package io.millrace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A generator, its store and its subscribers under stress, and the verdict when all is over. */
final class Trial {

  static final String OK = "ok";
  static final long TIMEOUT = Duration.ofHours(1).toNanos();

  private static final long BACKOFF = Duration.ofMinutes(1).toNanos();

  private static final int ENOUGH = 1_000;

  final InlineScheduler scheduler = new InlineScheduler();
  final HeldStore store = new HeldStore();
  private final StoreAccounts accounts = new StoreAccounts();
  final BufferedSequenceGenerator generator;

  private Trial(int batchSize, int lowWatermark) {
    generator =
        (BufferedSequenceGenerator)
            SequenceGenerator.builder(accounts.over(store), "s")
                .batchSize(batchSize)
                .lowWatermark(lowWatermark)
                .acquireTimeout(Duration.ofNanos(TIMEOUT))
                .reservationTimeout(Duration.ZERO)
                .scheduler(scheduler)
                .metrics(accounts.recorder())
                .build();
  }

  /** With nothing reserved. */
  static Trial empty(int batchSize) {
    return new Trial(batchSize, 0);
  }

  /** With one block in the buffer, or two if the low watermark is one below the block's size. */
  static Trial filled(int batchSize, int lowWatermark) {
    Trial trial = new Trial(batchSize, lowWatermark);
    trial.generator.warmup().subscribe();
    trial.store.answer();
    return trial;
  }

  /** Stands for a subscriber that has not come yet. */
  Probe idle() {
    return Probe.idle();
  }

  Probe next() {
    return Probe.of(generator.next(), 1);
  }

  Probe values(long request) {
    return Probe.of(generator.values(), request);
  }

  Probe values(long request, int cancelAfter) {
    return Probe.of(generator.values(), request, cancelAfter);
  }

  /**
   * Lets everybody who waits be served, takes what is left in the buffer, and checks that each
   * value reserved went to one subscriber or was discarded.
   */
  String verdict(Probe... probes) {
    for (int i = 0; generator.snapshot().waiters() > 0; i++) {
      if (i == ENOUGH) {
        return "waiters are never served";
      }
      if (!store.answer()) {
        return "waiters hang, no reservation is on its way";
      }
    }
    List<Probe> all = new ArrayList<>(List.of(probes));
    while (generator.snapshot().buffered() > 0) {
      Probe rest = next();
      if (rest.values.isEmpty() || all.size() == ENOUGH) {
        return "what is buffered is not issued";
      }
      all.add(rest);
    }
    Probe last = next();
    store.answer();
    if (last.values.isEmpty()) {
      return "a later subscriber is never served";
    }
    all.add(last);
    while (generator.snapshot().buffered() > 0) {
      all.add(next());
    }
    return account(all);
  }

  /** The same after a failure, which those who wait get over when the backoff has passed. */
  String verdictAfterBackoff(Probe... probes) {
    scheduler.advance(BACKOFF);
    return verdict(probes);
  }

  /** The same, and it is found out whether the timeout still runs for this one. */
  String verdictAfterTimeout(Probe newcomer) {
    scheduler.advance(TIMEOUT);
    scheduler.advance(TIMEOUT);
    return newcomer.terminations == 1 ? verdict(newcomer) : "its time is never up";
  }

  /** Checks a trial that ended with the disposal of the generator. */
  String verdictOfDisposed(Probe... probes) {
    store.answer();
    for (Probe probe : probes) {
      if (probe.terminations != 1) {
        return "a subscriber saw " + probe.terminations + " ends";
      }
    }
    if (generator.snapshot().waiters() != 0 || generator.snapshot().buffered() != 0) {
      return "left " + generator.snapshot();
    }
    return account(List.of(probes));
  }

  /** The same of one who left before the disposal reached it, or after. */
  String verdictOfCancelled(Probe probe) {
    store.answer();
    if (generator.snapshot().waiters() != 0 || generator.snapshot().buffered() != 0) {
      return "left " + generator.snapshot();
    }
    return probe.terminations > 1 ? "ended twice" : account(List.of(probe));
  }

  private String account(List<Probe> all) {
    if (store.overlapping() > 0) {
      return "reservations overlapped";
    }
    Set<Long> distinct = new HashSet<>();
    long issued = 0;
    for (Probe probe : all) {
      long before = 0;
      for (long value : probe.values) {
        if (value <= before) {
          return "not rising " + probe.values;
        }
        before = value;
        if (!distinct.add(value)) {
          return "twice " + value;
        }
        issued++;
      }
      if (probe.terminations > 1) {
        return "ended twice";
      }
    }
    String fault = accounts.faultOf(generator, issued);
    return fault.isEmpty() ? OK : fault;
  }
}
