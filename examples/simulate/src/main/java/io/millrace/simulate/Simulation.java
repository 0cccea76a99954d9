package io.millrace.simulate;

import static io.millrace.simulate.Outcome.End.COMPLETE;
import static io.millrace.simulate.Outcome.End.FULL;
import static io.millrace.simulate.Outcome.End.HOPELESS;
import static io.millrace.simulate.Outcome.End.LONG;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.apache.commons.rng.RestorableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * One run of a scenario: discrete events in virtual time.
 *
 * <p><b>An instance</b> follows the engine's rules. One reservation at a time; it starts when a
 * request finds nothing buffered, or leaves no more than the watermark, or at once after an answer
 * that was not enough. It asks for what is waited for when it starts, for a batch at least, for the
 * largest batch at most. Those who wait are served first come, first served.
 *
 * <p><b>A reservation</b> travels to its row for half of its round trip, waits for the row's lock,
 * holds it, and travels back.
 *
 * <p><b>Events</b> are those of reservations only, four for each. In between, requests are passed
 * in runs: as many as the buffer has above its watermark, or as came while a reservation was under
 * way. One that waits is looked at alone. A request at the moment of an answer came before it.
 *
 * <p><b>Invariant.</b> Each instance has one event due, or waits in the line of a row; all of its
 * requests until {@code since} are counted.
 */
final class Simulation {

  /** Is told of each value issued to one that had waited. */
  interface Witness {
    void issued(int instance, long askedAt, long now);
  }

  private static final Witness NOBODY = (instance, askedAt, now) -> {};

  /** Values that wait, over all instances; beyond this the run ends. */
  static final long MOST_WAITING = 5_000_000;

  private static final int START = 0;
  private static final int REACH_ROW = 1;
  private static final int LEAVE_ROW = 2;
  private static final int ANSWER = 3;

  private final Scenario scenario;
  private final long mostStalled;
  private final double mostSteps;
  private final Witness witness;

  private final Arrivals arrivals;
  private final Delays delays;
  private final RowChooser chooser;
  private final Row[] rows;
  private final EventQueue events;
  private final Tally tally = new Tally();

  // One element for each instance.

  /** Values buffered, before the requests since {@link #since}. */
  private final long[] level;

  private final long[] since;

  /** Requests that the reservation to start waits for; the last may find nothing buffered. */
  private final long[] passing;

  private final WaitingTimes[] waiting;

  // Of the reservation under way.
  private final long[] size;
  private final long[] startedAt;
  private final long[] service;
  private final long[] wayBack;
  private final int[] row;

  private long now;
  private long waitingInAll;
  private long waitingAtHalf = -1;
  private long steps;
  private Outcome.End end = COMPLETE;

  Simulation(Scenario scenario) {
    this(scenario, Long.MAX_VALUE, 3 * Work.MOST);
  }

  /** A run that ends when more values than that have waited, or it took more steps than that. */
  Simulation(Scenario scenario, long mostStalled, double mostSteps) {
    this(scenario, mostStalled, mostSteps, arrivals(scenario), chooser(scenario), NOBODY);
  }

  /** A run of given requests, and choices. */
  Simulation(Scenario scenario, Arrivals arrivals, RowChooser chooser, Witness witness) {
    this(scenario, Long.MAX_VALUE, Double.MAX_VALUE, arrivals, chooser, witness);
  }

  private Simulation(
      Scenario scenario,
      long mostStalled,
      double mostSteps,
      Arrivals arrivals,
      RowChooser chooser,
      Witness witness) {
    this.scenario = scenario;
    this.mostStalled = mostStalled;
    this.mostSteps = mostSteps;
    this.arrivals = arrivals;
    this.witness = witness;
    this.delays = delays(scenario);
    this.chooser = chooser;
    this.rows = new Row[scenario.rows()];
    UniformRandomProvider random = random(scenario, 4);
    IntUnaryOperator next =
        switch (scenario.lockOrder()) {
          case fifo -> line -> 0;
          case random -> random::nextInt;
        };
    Arrays.setAll(rows, each -> new Row(next));
    int instances = scenario.instances();
    this.events = new EventQueue(instances);
    this.level = new long[instances];
    this.since = new long[instances];
    this.passing = new long[instances];
    this.waiting = new WaitingTimes[instances];
    this.size = new long[instances];
    this.startedAt = new long[instances];
    this.service = new long[instances];
    this.wayBack = new long[instances];
    this.row = new int[instances];
  }

  static Arrivals arrivals(Scenario scenario) {
    UniformRandomProvider random = random(scenario, 1);
    return switch (scenario.pattern()) {
      case poisson -> new PoissonArrivals(random, scenario.gap());
      case constant -> new ConstantArrivals(random, scenario.instances(), scenario.gap());
    };
  }

  static Delays delays(Scenario scenario) {
    return new Delays(scenario, random(scenario, 2), random(scenario, 6));
  }

  static RowChooser chooser(Scenario scenario) {
    return RowChooser.of(scenario, choices(scenario));
  }

  static UniformRandomProvider choices(Scenario scenario) {
    return random(scenario, 3);
  }

  /** Each purpose draws from a stream of its own. The factor is none that the generator uses. */
  static RestorableUniformRandomProvider random(Scenario scenario, int purpose) {
    return RandomSource.XO_RO_SHI_RO_128_PP.create(
        Long.valueOf(scenario.seed() * 0xD1342543DE82EF95L + purpose));
  }

  /** Runs once. */
  Outcome run() {
    fillBuffers();
    while (end == COMPLETE && events.time() <= scenario.duration()) {
      now = events.time();
      if (waitingAtHalf < 0 && now > scenario.duration() / 2) {
        waitingAtHalf = waitingInAll;
      }
      int event = events.poll();
      int instance = event >>> 2;
      switch (event & 3) {
        case START -> start(instance);
        case REACH_ROW -> reachRow(instance);
        case LEAVE_ROW -> leaveRow(instance);
        default -> answer(instance);
      }
    }
    if (end == COMPLETE) {
      now = scenario.duration();
    }
    boolean isOverloaded =
        scenario.rate() >= scenario.capacity(scenario.maxBatch()) || isBacklogRising();
    long buffered = countUntilNow();
    return tally.outcome(end, isOverloaded, scenario, Math.max(1, now), rows, buffered, steps);
  }

  /** By more than 1 in 100 values, and more than chance has it, over the second half. */
  private boolean isBacklogRising() {
    double usual = 10 * scenario.rate() * scenario.trip() / 1e9;
    double share = 0.01 * scenario.rate() * scenario.seconds() / 2;
    return end == COMPLETE
        && waitingAtHalf >= 0
        && waitingInAll - waitingAtHalf > Math.max(usual, share);
  }

  private void add(long time, int kind, int instance) {
    events.add(time, instance << 2 | kind);
  }

  /**
   * In the long run each level between two reservations is as likely as the others, since they are
   * passed one by one.
   */
  private void fillBuffers() {
    UniformRandomProvider random = random(scenario, 5);
    for (int instance = 0; instance < scenario.instances(); instance++) {
      waiting[instance] = new WaitingTimes();
      if (scenario.start() == Scenario.Start.warm && !scenario.isOrdered()) {
        level[instance] = random.nextLong(scenario.batch());
        if (scenario.watermark() > 0) {
          level[instance] += scenario.watermark() + 1;
        }
      }
      rest(instance);
    }
  }

  /** No reservation is needed until enough requests have come. */
  private void rest(int instance) {
    long aboveWatermark = level[instance] - scenario.watermark();
    boolean prefetches = scenario.watermark() > 0 && aboveWatermark > 0;
    passing[instance] = prefetches ? aboveWatermark : level[instance] + 1;
    since[instance] = now;
    add(arrivals.skip(instance, now, passing[instance]), START, instance);
  }

  private void start(int instance) {
    pass(instance, passing[instance], passing[instance] - 1);
    passing[instance] = 0;
    since[instance] = now;
    long wanted = Math.max(waiting[instance].size(), scenario.batch());
    size[instance] = Math.min(wanted, scenario.maxBatch());
    startedAt[instance] = now;
    long roundTrip = delays.roundTrip();
    service[instance] = delays.service();
    wayBack[instance] = roundTrip - roundTrip / 2;
    row[instance] = chooser.choose(instance, now);
    add(now + roundTrip / 2, REACH_ROW, instance);
  }

  /**
   * Counts requests that came since the last count, evenly spread up to now, and the last of them,
   * if they were waited for, just now.
   */
  private void pass(int instance, long requests, double spread) {
    long atOnce = Math.min(requests, level[instance]);
    tally.atOnce(atOnce);
    tally.atRisk(meanLevel(level[instance], spread), now - since[instance]);
    level[instance] -= atOnce;
    if (requests > atOnce) {
      waiting[instance].add(now);
      waitingInAll++;
      tally.stalled(1, waiting[instance].size());
    }
  }

  /** Over a time in which requests came that were as likely at each moment. */
  private static double meanLevel(long level, double requests) {
    return requests <= level ? level - requests / 2 : level / 2.0 * ((level + 1) / (requests + 1));
  }

  private void reachRow(int instance) {
    if (rows[row[instance]].enter(instance, now)) {
      add(now + service[instance], LEAVE_ROW, instance);
    }
  }

  /** The reservation is committed. */
  private void leaveRow(int instance) {
    int next = rows[row[instance]].leave(now);
    if (next >= 0) {
      add(now + service[next], LEAVE_ROW, next);
    }
    long answer = now + wayBack[instance];
    tally.atRisk(size[instance], Math.min(answer, scenario.duration()) - now);
    add(answer, ANSWER, instance);
  }

  private void answer(int instance) {
    tally.reservation(now - startedAt[instance]);
    chooser.took(instance, row[instance], now - startedAt[instance], now);
    WaitingTimes line = waiting[instance];
    long requests = arrivals.count(instance, since[instance], now);
    long stalled = Math.max(0, requests - level[instance]);
    long from = since[instance];
    pass(instance, requests - stalled, requests);
    tally.stalled(stalled, line.size() + stalled);
    since[instance] = now;
    waitingInAll += stalled;
    steps += Work.RESERVATION + stalled;
    if (!goesOn()) {
      tally.stillWaitingEvenly(stalled, (now - from) * ((double) stalled / Math.max(1, requests)));
      return;
    }
    if (stalled > 0) {
      line.addFromLast((int) stalled, arrivals.passed(instance, from, now, requests));
    }
    level[instance] += size[instance];
    serve(instance, line);
    boolean atWatermark = scenario.watermark() > 0 && level[instance] <= scenario.watermark();
    if (line.isEmpty() && !atWatermark) {
      rest(instance);
    } else {
      add(now, START, instance);
    }
  }

  private boolean goesOn() {
    if (waitingInAll > MOST_WAITING) {
      end = FULL;
    } else if (steps > mostSteps) {
      end = LONG;
    } else if (tally.waited() > mostStalled) {
      end = HOPELESS;
    }
    return end == COMPLETE;
  }

  private void serve(int instance, WaitingTimes line) {
    while (level[instance] > 0 && !line.isEmpty()) {
      long askedAt = line.poll();
      tally.issuedAfter(now - askedAt);
      witness.issued(instance, askedAt, now);
      level[instance]--;
      waitingInAll--;
    }
  }

  /**
   * Counts the requests of each instance until the end, and the waits of those that wait on, and
   * returns what is buffered then.
   */
  private long countUntilNow() {
    while (!events.isEmpty()) {
      long time = events.time();
      int event = events.poll();
      int instance = event >>> 2;
      if ((event & 3) == START && passing[instance] > 0) {
        long requests =
            arrivals.countWithin(instance, since[instance], time, passing[instance], now);
        pass(instance, requests, requests);
        since[instance] = now;
      }
    }
    long buffered = 0;
    for (int instance = 0; instance < scenario.instances(); instance++) {
      if (since[instance] < now) {
        long from = since[instance];
        long requests = arrivals.count(instance, since[instance], now);
        long stalled = Math.max(0, requests - level[instance]);
        pass(instance, requests - stalled, requests);
        tally.stalled(stalled, waiting[instance].size() + stalled);
        tally.stillWaitingEvenly(
            stalled, (now - from) * ((double) stalled / Math.max(1, requests)));
      }
      while (!waiting[instance].isEmpty()) {
        tally.stillWaiting(now - waiting[instance].poll());
      }
      buffered += level[instance];
    }
    return buffered;
  }
}
