package io.millrace.torture;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process in which subscribers come and go until the parent sends the command to leave. It then
 * prints the resources that it holds, compared with those after a short first cycle.
 */
public final class SoakChild {

  /** The exit code if the heap grew, or a resource leaked. */
  static final int BROKEN = 1;

  /** Printed when faults may begin. */
  static final String READY = "ready";

  private static final long SAMPLE_SECONDS = 10;

  /**
   * Time for resources that a cycle leaves for a moment, such as threads that end by themselves.
   */
  private static final long SETTLE_SECONDS = 5;

  private final ChildSettings settings;
  private final int subscribers;
  private final Meters meters;
  private final AtomicLong rows = new AtomicLong();
  private final List<String> broken = new ArrayList<>();
  private final HeapTrend heap = new HeapTrend();

  private SoakChild(ChildSettings settings, int subscribers) {
    this.settings = settings;
    this.subscribers = subscribers;
    this.meters = Meters.open(settings.directory(), settings.process(), settings.life());
  }

  /**
   * Runs the process.
   *
   * @param arguments the number of subscribers, then {@link ChildSettings#arguments()}
   */
  public static void main(String[] arguments) {
    List<String> rest = List.of(arguments).subList(1, arguments.length);
    ChildSettings settings = ChildSettings.parse(rest.toArray(String[]::new));
    Child.endAfter(settings.limit());
    Leftovers.watch();
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    Child.daemon("input", () -> Child.read(commands));
    try {
      System.exit(new SoakChild(settings, Integer.parseInt(arguments[0])).run(commands));
    } catch (InterruptedException | RuntimeException | Error e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(Child.FAILED);
    }
  }

  private SoakCycle cycle() {
    SoakCycle cycle = new SoakCycle(settings, meters, subscribers, rows);
    cycle.start();
    return cycle;
  }

  private int run(BlockingQueue<String> commands) throws InterruptedException {
    SoakCycle first = cycle();
    List<Mode> without = first.awaitValues();
    if (!without.isEmpty()) {
      System.out.println("NOT PROVED: no values of " + without + " at the start");
      return Torture.NOT_PROVED;
    }
    broken.addAll(first.end());
    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    Leftovers before = Leftovers.now();
    System.out.println(READY);

    SoakCycle cycle = cycle();
    long start = System.nanoTime();
    while (commands.poll(SAMPLE_SECONDS, TimeUnit.SECONDS) == null) {
      System.gc();
      heap.add(
          (System.nanoTime() - start) / 60e9,
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    cycle.awaitValues().forEach(mode -> broken.add("no values of " + mode + " after the faults"));
    broken.addAll(cycle.end());
    SoakCycle.await(() -> Leftovers.now().moreThan(before).isEmpty());
    Leftovers after = Leftovers.now();
    broken.addAll(after.moreThan(before));
    if (heap.grows()) {
      broken.add("the heap grows");
    }
    if (Leftovers.leakedSessions() > 0) {
      broken.add(Leftovers.leakedSessions() + " sessions were not given back");
    }
    print(cycle, before, after);
    return broken.isEmpty() ? 0 : BROKEN;
  }

  private void print(SoakCycle cycle, Leftovers before, Leftovers after) {
    cycle.lines().forEach(System.out::println);
    System.out.println();
    System.out.println(heap);
    System.out.println("threads: " + before.threadCount() + ", at the end " + after.threadCount());
    System.out.println("scheduled tasks: " + before.tasks() + ", at the end " + after.tasks());
    System.out.println("sockets: " + before.sockets() + ", at the end " + after.sockets());
    System.out.println("leaked sessions: " + Leftovers.leakedSessions());
    if (broken.isEmpty()) {
      System.out.println("Nothing leaked.");
    } else {
      System.out.println("BROKEN:");
      broken.forEach(line -> System.out.println("  " + line));
    }
  }
}
