package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Chooses victims and faults at random. Used by one thread. */
final class Tormentor {

  /** One of this many kills may be of a process that has not received values yet. */
  private static final int EARLY = 10;

  /** After so many kills a process is paused, and so on. */
  private static final int KILLS_PER_PAUSE = 10;

  private static final int KILLS_PER_RENEWAL = 4;
  private static final int KILLS_PER_LEAVE = 6;

  /** Longer than a generator's reservationTimeout, partly longer than its acquireTimeout. */
  private static final int SHORTEST_PAUSE = 3_500;

  private static final int LONGEST_PAUSE = 6_500;

  private final List<Worker> workers;
  private final RandomGenerator random;
  private final Faults faults;

  /** When the network of a worker is mended, in {@link System#nanoTime}. */
  private final Map<Worker, Long> mendings = new HashMap<>();

  Tormentor(List<Worker> workers, RandomGenerator random, Faults faults) {
    this.workers = workers;
    this.random = random;
    this.faults = faults;
  }

  /** Kills one process, or does to one what is due after so many kills. */
  void process() {
    List<Worker> warm = victims(false);
    if (warm.isEmpty()) {
      return;
    }
    if (isDue(Faults.Kind.PAUSE, KILLS_PER_PAUSE)) {
      act(Faults.Kind.PAUSE, warm);
    } else if (isDue(Faults.Kind.RENEWAL, KILLS_PER_RENEWAL)) {
      act(Faults.Kind.RENEWAL, warm);
    } else if (isDue(Faults.Kind.LEAVE, KILLS_PER_LEAVE)) {
      act(Faults.Kind.LEAVE, warm);
    } else {
      act(Faults.Kind.KILL, random.nextInt(EARLY) == 0 ? victims(true) : warm);
    }
  }

  private boolean isDue(Faults.Kind kind, int kills) {
    return faults.get(kind) < faults.get(Faults.Kind.KILL) / kills;
  }

  private List<Worker> victims(boolean early) {
    return workers.stream()
        .filter(Worker::isActive)
        .filter(worker -> early || worker.isWarm())
        .toList();
  }

  private void act(Faults.Kind kind, List<Worker> victims) {
    Worker victim = victims.get(random.nextInt(victims.size()));
    faults.add(kind);
    switch (kind) {
      case KILL -> victim.kill();
      case PAUSE -> victim.pause(millis(SHORTEST_PAUSE, LONGEST_PAUSE));
      case RENEWAL -> victim.renew();
      case LEAVE -> victim.leave();
      default -> throw new IllegalArgumentException("no fault of a process: " + kind);
    }
  }

  private Duration millis(int shortest, int longest) {
    return Duration.ofMillis(random.nextInt(shortest, longest));
  }

  /** Harms the network of one process, if there are proxies. */
  void network() {
    List<Worker> victims =
        workers.stream()
            .filter(worker -> worker.proxy() != null && !mendings.containsKey(worker))
            .toList();
    if (victims.isEmpty()) {
      return;
    }
    Worker victim = victims.get(random.nextInt(victims.size()));
    TcpProxy proxy = victim.proxy();
    if (proxy == null) {
      return;
    }
    NetworkFault fault = NetworkFault.begin(proxy, random);
    faults.add(fault.kind());
    mendings.put(victim, System.nanoTime() + fault.time().toNanos());
  }

  /** Mends networks whose time has come. */
  void mend() {
    mendings.entrySet().removeIf(entry -> mend(entry.getKey(), entry.getValue()));
  }

  /** Mends all networks. */
  void mendAll() {
    mendings.keySet().forEach(worker -> mend(worker, System.nanoTime()));
    mendings.clear();
  }

  private static boolean mend(Worker worker, long when) {
    TcpProxy proxy = worker.proxy();
    if (proxy == null || System.nanoTime() - when < 0) {
      return false;
    }
    NetworkFault.mend(proxy);
    return true;
  }

  /** How long the parent waits between two looks at its processes. */
  static void rest() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(10);
  }
}
