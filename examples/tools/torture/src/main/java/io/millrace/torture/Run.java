package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Starts the processes, torments them for a time, and ends them. */
final class Run implements AutoCloseable {

  private static final long NETWORK_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  /** Longer than a pause, the start of a process, and the timeouts of its requests. */
  private static final Duration TO_RECOVER = Duration.ofSeconds(60);

  /** Longer than the tapes stay unread. */
  private static final long UNREAD_MILLIS = 500;

  /** Longer than the slowest disposal. */
  private static final Duration TO_LEAVE = Duration.ofSeconds(60);

  /** How much longer than the run a process may live if its parent hangs. */
  private static final Duration RESERVE = Duration.ofMinutes(3);

  private final Plan plan;
  private final Database database;
  private final SplittableRandom random;
  private final List<Worker> workers = new ArrayList<>();
  private final Faults faults = new Faults();
  private final ClassArchive archive;
  private final Tormentor tormentor;
  private final Watch watch;
  private final List<Violation> late = new ArrayList<>();
  private final Thread cleanUp = new Thread(this::killAll, "kill-children");

  Run(Plan plan, Database database) {
    this.plan = plan;
    this.database = database;
    this.random = new SplittableRandom(plan.seed());
    this.archive = new ClassArchive(plan.directory());
    Map<Mode, LiveCounts.Total> totals = Watch.totals(database.modes());
    for (int number = 0; number < plan.processes(); number++) {
      workers.add(worker(number, totals));
    }
    this.tormentor = new Tormentor(workers, random.split(), faults);
    this.watch = new Watch(database, totals, workers);
    Runtime.getRuntime().addShutdownHook(cleanUp);
  }

  private Worker worker(int number, Map<Mode, LiveCounts.Total> totals) {
    SplittableRandom seeds = random.split();
    TcpProxy proxy = plan.proxy() ? new TcpProxy(database.server()) : null;
    String server = database.server();
    int port =
        proxy == null
            ? Integer.parseInt(server.substring(server.lastIndexOf(':') + 1))
            : proxy.port();
    return new Worker(
        number,
        plan.directory(),
        life ->
            new ChildSettings(
                plan.directory(),
                number,
                life,
                database.address(port),
                database.modes(),
                plan.sizes(),
                plan.rate(),
                plan.time().plus(RESERVE),
                seeds.nextLong(),
                plan.sabotage(),
                plan.places()),
        environment(port),
        totals,
        proxy);
  }

  /** The variables of a process that reaches the database through a port. */
  static Map<String, String> environment(int port) {
    return Map.of(
        "SPANNER_EMULATOR_HOST",
        "localhost:" + port,
        "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
        "false");
  }

  /** Runs to the end. */
  void run() throws InterruptedException {
    watch.start();
    if (ClassArchive.isPossible()) {
      writeArchive();
    }
    long start = System.nanoTime();
    long end = start + plan.time().toNanos();
    long nextKill = start + plan.killEvery().toNanos();
    long nextNetwork = start + NETWORK_NANOS;
    for (long now = start; now - end < 0; now = System.nanoTime()) {
      startEnded();
      if (now - nextKill >= 0) {
        nextKill += plan.killEvery().toNanos();
        tormentor.process();
      }
      if (now - nextNetwork >= 0) {
        nextNetwork += NETWORK_NANOS;
        tormentor.network();
      }
      tormentor.mend();
      Tormentor.rest();
    }
    tormentor.mendAll();
    recover();
    leave();
    watch.close();
  }

  /** Runs the first process until it has taken values of each mode, and ends it. */
  private void writeArchive() throws InterruptedException {
    Worker first = workers.get(0);
    first.start(archive.writing());
    long end = System.nanoTime() + TO_LEAVE.toNanos();
    while (first.isAlive() && !first.isWarm() && System.nanoTime() - end < 0) {
      Tormentor.rest();
    }
    leave();
  }

  private void startEnded() {
    for (Worker worker : workers) {
      if (!worker.isAlive()) {
        addEnd(worker);
        worker.start(archive.reading());
      }
    }
  }

  /**
   * Waits until every process receives values in every mode again, now that the faults are over.
   */
  private void recover() throws InterruptedException {
    Thread.sleep(UNREAD_MILLIS);
    for (Worker worker : workers) {
      LiveCounts counts = worker.counts();
      if (counts != null) {
        counts.forget();
      }
    }
    long end = System.nanoTime() + TO_RECOVER.toNanos();
    while (System.nanoTime() - end < 0 && !workers.stream().allMatch(Worker::isWarm)) {
      startEnded();
      Tormentor.rest();
    }
    for (Worker worker : workers) {
      LiveCounts counts = worker.counts();
      if (counts != null && !counts.missing().isEmpty()) {
        late.add(
            new Violation(
                "values flow again after the faults",
                worker
                    + " received none within "
                    + TO_RECOVER.toSeconds()
                    + " s in "
                    + counts.missing()));
      }
    }
  }

  private void addEnd(Worker worker) {
    String end = worker.unexpectedEnd();
    if (end != null) {
      late.add(new Violation("processes end only when they are told to", end));
    }
  }

  private void leave() throws InterruptedException {
    List<Worker> leaving = workers.stream().filter(Worker::isAlive).toList();
    leaving.forEach(Worker::leave);
    long end = System.nanoTime() + TO_LEAVE.toNanos();
    for (Worker worker : leaving) {
      if (worker.await(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
        addEnd(worker);
        faults.add(Faults.Kind.LEAVE);
      } else {
        worker.kill();
        late.add(
            new Violation(
                "processes leave when they are told to",
                worker + " did not leave within " + TO_LEAVE.toSeconds() + " s"));
      }
    }
  }

  /** Counters that moved back during the run. */
  List<Violation> violations() {
    return watch.readings().violations();
  }

  /**
   * Processes that did not recover or leave in their time, or gave up: nearly always because they
   * ran out of time.
   */
  List<Violation> late() {
    return late;
  }

  Faults faults() {
    return faults;
  }

  List<Worker> workers() {
    return workers;
  }

  long counterReadings() {
    return watch.readings().count();
  }

  private void killAll() {
    workers.forEach(Worker::close);
  }

  @Override
  public void close() {
    killAll();
    Runtime.getRuntime().removeShutdownHook(cleanUp);
  }
}
