package io.millrace.torture;

import com.google.common.net.HostAndPort;
import io.millrace.SequenceBlock;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Starts the processes, does faults to them for a time, and ends them. */
final class Run implements AutoCloseable {

  /**
   * The plan of a run.
   *
   * @param killEvery the time between two faults of processes
   * @param proxy whether the network fails, too
   * @param places about how many generators a process keeps
   * @param sabotage whether to make faults that the checks have to find
   */
  record Plan(
      DatabaseKind kind,
      List<Mode> modes,
      int processes,
      Duration time,
      Duration killEvery,
      boolean proxy,
      int places,
      boolean sabotage,
      Path directory) {}

  private static final long NETWORK_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  /** Longer than a pause, the start of a process, and the timeouts of its requests. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** One of this many kills may be of a process that has not received values yet. */
  private static final int EARLY = 10;

  /** A part of a block. */
  private static final int SABOTAGED = 20;

  private static final int KILLS_PER_PAUSE = 10;
  private static final int KILLS_PER_LEAVE = 4;

  private final Plan plan;
  private final Database database;
  private final SplittableRandom random = new SplittableRandom();
  private final List<Worker> workers;
  private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
  private final List<String> late = new ArrayList<>();
  private final Thread cleanUp = new Thread(this::killAll, "kill-children");

  Run(Plan plan, Database database) {
    this.plan = plan;
    this.database = database;
    this.workers = IntStream.range(0, plan.processes()).mapToObj(number -> worker(number)).toList();
    Runtime.getRuntime().addShutdownHook(cleanUp);
  }

  private Worker worker(int number) {
    String server = database.server();
    TcpProxy proxy = plan.proxy() ? new TcpProxy(server) : null;
    int port = proxy == null ? HostAndPort.fromString(server).getPort() : proxy.port();
    return new Worker(
        number,
        life ->
            new ChildSettings(
                plan.directory(),
                number,
                life,
                plan.kind(),
                port,
                database.names(),
                plan.modes(),
                plan.places()),
        proxy);
  }

  /** Runs to the end. Blocks. */
  void run() throws InterruptedException {
    long start = System.nanoTime();
    long end = start + plan.time().toNanos();
    long nextKill = start + plan.killEvery().toNanos();
    long nextNetwork = start + NETWORK_NANOS;
    for (long now = start; now - end < 0; now = System.nanoTime()) {
      startEnded();
      if (now - nextKill >= 0) {
        nextKill += plan.killEvery().toNanos();
        harmProcess();
        if (plan.sabotage()) {
          issueTwice();
        }
      }
      if (now - nextNetwork >= 0) {
        nextNetwork += NETWORK_NANOS;
        harmNetwork();
      }
      workers.forEach(worker -> worker.mendNetwork(false));
      TimeUnit.MILLISECONDS.sleep(10);
    }
    workers.forEach(worker -> worker.mendNetwork(true));
    recover();
    leave();
  }

  /** Moves a counter back: values that a process has will be issued again. */
  private void issueTwice() {
    Access access = database.access();
    SequenceBlock newest = SequenceBlock.of(access.nextValue(Mode.BATCH) - SABOTAGED, SABOTAGED);
    access.store(Mode.BATCH).release(Mode.BATCH.sequence(), newest).block();
  }

  private void startEnded() {
    for (Worker worker : workers) {
      if (!worker.isAlive()) {
        addUnexpectedEnd(worker);
        worker.start();
      }
    }
  }

  private void addUnexpectedEnd(Worker worker) {
    String end = worker.unexpectedEnd();
    if (end != null) {
      late.add("processes end only when they are told to: " + end);
    }
  }

  /** Kills one process, or does to it what is due after so many kills. */
  private void harmProcess() {
    Fault fault =
        isDue(Fault.PAUSE, KILLS_PER_PAUSE)
            ? Fault.PAUSE
            : isDue(Fault.LEAVE, KILLS_PER_LEAVE) ? Fault.LEAVE : Fault.KILL;
    boolean early = fault == Fault.KILL && random.nextInt(EARLY) == 0;
    List<Worker> victims =
        workers.stream()
            .filter(Worker::isActive)
            .filter(worker -> early || worker.missing().isEmpty())
            .toList();
    if (!victims.isEmpty()) {
      victims.get(random.nextInt(victims.size())).suffer(fault, random);
      faults.merge(fault, 1L, Long::sum);
    }
  }

  private boolean isDue(Fault fault, int kills) {
    return count(fault) < count(Fault.KILL) / kills;
  }

  private void harmNetwork() {
    Fault fault = Fault.ofNetwork(random);
    if (workers.get(random.nextInt(workers.size())).harmNetwork(fault, random)) {
      faults.merge(fault, 1L, Long::sum);
    }
  }

  /** Waits until every process receives values in every mode again. */
  private void recover() throws InterruptedException {
    startEnded();
    workers.forEach(Worker::forget);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0 && !workers.stream().allMatch(w -> w.missing().isEmpty())) {
      startEnded();
      TimeUnit.MILLISECONDS.sleep(10);
    }
    for (Worker worker : workers) {
      List<Mode> missing = worker.missing();
      if (!missing.isEmpty()) {
        late.add(
            "values flow again after the faults: "
                + worker
                + " received none within "
                + PATIENCE.toSeconds()
                + " s in "
                + missing);
      }
    }
  }

  private void leave() throws InterruptedException {
    workers.forEach(worker -> worker.suffer(Fault.LEAVE, random));
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (Worker worker : workers) {
      if (worker.await(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
        addUnexpectedEnd(worker);
        faults.merge(Fault.LEAVE, 1L, Long::sum);
      } else {
        late.add(
            "processes end when they are told to: "
                + worker
                + " did not end within "
                + PATIENCE.toSeconds()
                + " s");
      }
    }
  }

  /** What did not happen in its time: nearly always because the machine is slow. */
  List<String> late() {
    return late;
  }

  Map<Fault, Long> faults() {
    return faults;
  }

  private long count(Fault fault) {
    return faults.getOrDefault(fault, 0L);
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
