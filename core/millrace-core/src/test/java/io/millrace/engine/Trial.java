package io.millrace.engine;

import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.Probe;
import io.millrace.SequenceGenerator;
import io.millrace.StoreAccounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A generator, its store and its subscribers under stress, and the verdict when all is over. */
public final class Trial {

  public static final String OK = "ok";
  public static final long TIMEOUT = Duration.ofHours(1).toNanos();

  private static final long BACKOFF = Duration.ofMinutes(1).toNanos();

  private static final int ENOUGH = 1_000;

  public final InlineScheduler scheduler = new InlineScheduler();
  public final HeldStore store = new HeldStore();
  private final StoreAccounts accounts = new StoreAccounts();
  public final BufferedSequenceGenerator generator;

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
  public static Trial empty(int batchSize) {
    return new Trial(batchSize, 0);
  }

  /** With one block in the buffer, or two if the low watermark is one below the block's size. */
  public static Trial filled(int batchSize, int lowWatermark) {
    Trial trial = new Trial(batchSize, lowWatermark);
    trial.generator.warmup().subscribe();
    trial.store.answer();
    return trial;
  }

  /** Stands for a subscriber that has not come yet. */
  public Probe idle() {
    return Probe.idle();
  }

  public Probe next() {
    return Probe.of(generator.next(), 1);
  }

  public Probe values(long request) {
    return Probe.of(generator.values(), request);
  }

  public Probe values(long request, int cancelAfter) {
    return Probe.of(generator.values(), request, cancelAfter);
  }

  /**
   * Lets everybody who waits be served, takes what is left in the buffer, and checks that each
   * value reserved went to one subscriber or was discarded.
   */
  public String verdict(Probe... probes) {
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
  public String verdictAfterBackoff(Probe... probes) {
    scheduler.advance(BACKOFF);
    return verdict(probes);
  }

  /** The same, and it is found out whether the timeout still runs for this one. */
  public String verdictAfterTimeout(Probe newcomer) {
    scheduler.advance(TIMEOUT);
    scheduler.advance(TIMEOUT);
    return newcomer.terminations == 1 ? verdict(newcomer) : "its time is never up";
  }

  /** Checks a trial that ended with the disposal of the generator. */
  public String verdictOfDisposed(Probe... probes) {
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
  public String verdictOfCancelled(Probe probe) {
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
