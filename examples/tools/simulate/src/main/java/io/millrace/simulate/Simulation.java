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
 * <p><b>An instance</b> follows the engine's rules. It makes one reservation at a time. A
 * reservation starts when a request finds nothing buffered, when a request leaves no more than the
 * watermark, or at once after an answer that was not enough. It requests the number of waiting
 * values, at least a block and at most the largest block. Waiters are served first come, first
 * served.
 *
 * <p><b>A reservation</b> travels to its row for half of its round trip, waits for the row's lock,
 * holds it, and travels back.
 *
 * <p><b>Events</b> belong to reservations only, four for each. Between events, requests are counted
 * many at once: those down to the watermark, or those that came during a reservation. Each request
 * that waits is handled alone. A request at the time of an answer comes before the answer.
 *
 * <p><b>Invariant.</b> Each instance has one event in the queue, or waits in the line of a row. All
 * its requests until {@code since} are counted.
 */
final class Simulation {

  /** Receives each value that is issued to a waiter. */
  interface Witness {
    void issued(int instance, long askedAt, long now);
  }

  private static final Witness NO_WITNESS = (instance, askedAt, now) -> {};

  /** The run ends if more values than this wait, over all instances. */
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
  private final CounterRow[] rows;
  private final EventQueue events;
  private final Tally tally = new Tally();

  // Arrays with one element for each instance.

  /** Values buffered, before the requests since {@link #since}. */
  private final long[] level;

  private final long[] since;

  /** The next reservation starts with this many requests; the last may find nothing buffered. */
  private final long[] requestsToStart;

  private final WaitingTimes[] waiting;

  // The reservation in progress of each instance.
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

  /**
   * A run that ends when more than {@code mostStalled} values waited or after {@code mostSteps}.
   */
  Simulation(Scenario scenario, long mostStalled, double mostSteps) {
    this(scenario, mostStalled, mostSteps, arrivals(scenario), chooser(scenario), NO_WITNESS);
  }

  /** A run with given arrivals and choices of rows. */
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
    this.rows = new CounterRow[scenario.rows()];
    UniformRandomProvider random = random(scenario, 4);
    IntUnaryOperator next =
        switch (scenario.lockOrder()) {
          case fifo -> line -> 0;
          case random -> random::nextInt;
        };
    Arrays.setAll(rows, each -> new CounterRow(next));
    int instances = scenario.instances();
    this.events = new EventQueue(instances);
    this.level = new long[instances];
    this.since = new long[instances];
    this.requestsToStart = new long[instances];
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

  /** Each purpose has its own random stream. The generator does not use the factor itself. */
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
        scenario.rate() >= scenario.capacity(scenario.maxBlock()) || isBacklogRising();
    long buffered = countUntilNow();
    return tally.outcome(end, isOverloaded, scenario, Math.max(1, now), rows, buffered, steps);
  }

  /** Whether it rose in the second half, by over 1 % of the values and more than by chance. */
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
   * Draws uniform levels: in the long run, all levels between two reservations are equally likely,
   * because the level falls one by one.
   */
  private void fillBuffers() {
    UniformRandomProvider random = random(scenario, 5);
    for (int instance = 0; instance < scenario.instances(); instance++) {
      waiting[instance] = new WaitingTimes();
      if (scenario.start() == Scenario.Start.warm && !scenario.isOrdered()) {
        level[instance] = random.nextLong(scenario.block());
        if (scenario.watermark() > 0) {
          level[instance] += scenario.watermark() + 1;
        }
      }
      awaitRequests(instance);
    }
  }

  /** Schedules the next reservation for the time when enough requests have come. */
  private void awaitRequests(int instance) {
    long aboveWatermark = level[instance] - scenario.watermark();
    boolean prefetches = scenario.watermark() > 0 && aboveWatermark > 0;
    requestsToStart[instance] = prefetches ? aboveWatermark : level[instance] + 1;
    since[instance] = now;
    add(arrivals.skip(instance, now, requestsToStart[instance]), START, instance);
  }

  private void start(int instance) {
    pass(instance, requestsToStart[instance], requestsToStart[instance] - 1);
    requestsToStart[instance] = 0;
    since[instance] = now;
    long wanted = Math.max(waiting[instance].size(), scenario.block());
    size[instance] = Math.min(wanted, scenario.maxBlock());
    startedAt[instance] = now;
    long roundTrip = delays.roundTrip();
    service[instance] = delays.service();
    wayBack[instance] = roundTrip - roundTrip / 2;
    row[instance] = chooser.choose(instance, now);
    add(now + roundTrip / 2, REACH_ROW, instance);
  }

  /**
   * Counts the requests since the last count, spread evenly up to now. If one of them has to wait,
   * it is the last, and it came just now.
   */
  private void pass(int instance, long requests, double spread) {
    long atOnce = Math.min(requests, level[instance]);
    tally.issuedAtOnce(atOnce);
    tally.atRisk(meanLevel(level[instance], spread), now - since[instance]);
    level[instance] -= atOnce;
    if (requests > atOnce) {
      waiting[instance].add(now);
      waitingInAll++;
      tally.stalled(1, waiting[instance].size());
    }
  }

  /** The mean level over a time in which the requests arrived uniformly. */
  private static double meanLevel(long level, double requests) {
    return requests <= level ? level - requests / 2 : level / 2.0 * ((level + 1) / (requests + 1));
  }

  private void reachRow(int instance) {
    if (rows[row[instance]].enter(instance, now)) {
      add(now + service[instance], LEAVE_ROW, instance);
    }
  }

  /** The reservation is committed: it releases the lock, and its answer travels back. */
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
    if (!mayContinue()) {
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
      awaitRequests(instance);
    } else {
      add(now, START, instance);
    }
  }

  private boolean mayContinue() {
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
   * Counts the requests of each instance until the end, and the waits of those that still wait.
   * Returns the number of buffered values at the end.
   */
  private long countUntilNow() {
    while (!events.isEmpty()) {
      long time = events.time();
      int event = events.poll();
      int instance = event >>> 2;
      if ((event & 3) == START && requestsToStart[instance] > 0) {
        long requests =
            arrivals.countWithin(instance, since[instance], time, requestsToStart[instance], now);
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
