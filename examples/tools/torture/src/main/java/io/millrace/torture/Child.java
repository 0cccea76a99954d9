package io.millrace.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that takes values until its parent kills it or sends the command to leave. It reads
 * commands from its standard input, and exits when the input ends with the parent.
 */
public final class Child {

  /** A command: dispose all generators and build new ones, while subscribers use them. */
  static final String RENEW = "renew";

  /** A command: dispose all generators, and end. */
  static final String LEAVE = "leave";

  /** The exit code if the parent is gone. */
  static final int ORPHANED = 11;

  /** The exit code at the limit of the process's time. */
  static final int OVERDUE = 12;

  /** The exit code if a subscriber did not end after it was disposed or cancelled. */
  static final int STUCK = 13;

  /** The exit code if the process could not start, or could not dispose its generators. */
  static final int FAILED = 14;

  private static final long PATIENCE = TimeUnit.SECONDS.toMillis(30);

  private final Generators generators;
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private Child(ChildSettings settings) {
    Path directory = settings.directory();
    Meters meters = Meters.open(directory, settings.process(), settings.life());
    Access access = Access.open(settings.address());
    generators = new Generators(settings, access, meters);
    SplittableRandom random = new SplittableRandom(settings.seed());
    for (Mode mode : settings.modes()) {
      for (int number = 0; number < Mode.LANES; number++) {
        TapeName name = new TapeName(mode, settings.process(), settings.life(), number);
        Lane lane = lane(name, access, meters, settings, random.split());
        lanes.add(lane);
        Thread thread = new Thread(lane, name.toString());
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
  }

  private Lane lane(
      TapeName name,
      Access access,
      Meters meters,
      ChildSettings settings,
      SplittableRandom random) {
    Mode mode = name.mode();
    Path directory = settings.directory();
    return switch (mode) {
      case TRANSACTIONAL ->
          new TimedLane(name, access::insertRow, directory, meters, settings.rate(), random);
      case WRITER ->
          new TimedLane(name, generators::write, directory, meters, settings.rate(), random);
      case ORDERED ->
          new TimedLane(
              name, row -> generators.get(mode).next(), directory, meters, settings.rate(), random);
      default ->
          new ValueLane(
              mode,
              () -> generators.get(mode),
              new ValueTape(name.in(directory)),
              meters,
              settings.sizes(),
              settings.rate(),
              random);
    };
  }

  /**
   * Runs a process.
   *
   * @param arguments {@link ChildSettings#arguments()}
   */
  public static void main(String[] arguments) {
    ChildSettings settings = ChildSettings.parse(arguments);
    endAfter(settings.limit());
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    daemon("input", () -> read(commands));
    try {
      Child child = new Child(settings);
      child.threads.forEach(Thread::start);
      System.exit(child.obey(commands));
    } catch (InterruptedException | RuntimeException | Error e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(FAILED);
    }
  }

  /** Reads commands until the parent is gone; then the process ends. */
  static void read(BlockingQueue<String> commands) {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        commands.add(line);
      }
    } catch (IOException e) {
      // the parent is gone
    }
    Runtime.getRuntime().halt(ORPHANED);
  }

  static void endAfter(Duration limit) {
    daemon(
        "limit",
        () -> {
          long end = System.nanoTime() + limit.toNanos();
          while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
          }
          Runtime.getRuntime().halt(OVERDUE);
        });
  }

  static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private int obey(BlockingQueue<String> commands) throws InterruptedException {
    while (!commands.take().equals(LEAVE)) {
      generators.renew();
    }
    return leave();
  }

  private int leave() throws InterruptedException {
    generators.dispose();
    lanes.forEach(Lane::stop);
    for (Thread thread : threads) {
      thread.join(PATIENCE);
      if (thread.isAlive()) {
        return STUCK;
      }
    }
    return 0;
  }
}
