package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A {@link Child}, restarted whenever it has ended, and its network. */
final class Worker implements AutoCloseable {

  private static final List<String> JVM =
      List.of(
          "-Xmx96m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+ExitOnOutOfMemoryError",
          "-Dio.netty.allocator.type=unpooled");

  private final int number;
  private final IntFunction<ChildSettings> settings;
  private final @Nullable TcpProxy proxy;

  private @Nullable Process process;
  private @Nullable Process pause;

  /** Why the process ends; null while it runs. */
  private @Nullable Fault end;

  private int life = -1;
  private boolean closed;

  /** When the network is mended, in {@link System#nanoTime}; null while it is whole. */
  private @Nullable Long mending;

  /** The values on the tapes when {@link #forget} was called. */
  private final Map<Mode, Long> forgotten = new EnumMap<>(Mode.class);

  /**
   * @param settings for each life
   * @param proxy between the process and the database; null if there is none
   */
  Worker(int number, IntFunction<ChildSettings> settings, @Nullable TcpProxy proxy) {
    this.number = number;
    this.settings = settings;
    this.proxy = proxy;
  }

  /** Starts the process for its next life, unless this worker is closed. */
  synchronized void start() {
    if (closed) {
      return;
    }
    life++;
    end = null;
    forgotten.clear();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    ChildSettings child = settings.apply(life);
    command.addAll(child.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    builder.environment().put("SPANNER_EMULATOR_HOST", "localhost:" + child.port());
    builder.environment().put("GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW", "false");
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a process", e);
    }
  }

  private Path log() {
    return settings.apply(life).directory().resolve("process-" + number + ".log");
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Whether faults may be done to the process: false while it is paused or ends. */
  boolean isActive() {
    return isAlive() && end == null && (pause == null || !pause.isAlive());
  }

  /**
   * Returns why the process ended, once; null if that was intended.
   *
   * @return a text to print
   */
  @Nullable String unexpectedEnd() {
    Process ended = process;
    process = null;
    if (ended == null || end == Fault.KILL || (end == Fault.LEAVE && ended.exitValue() == 0)) {
      return null;
    }
    return this + " ended with code " + ended.exitValue() + ", see " + log();
  }

  /** Does a fault to the process. */
  void suffer(Fault fault, RandomGenerator random) {
    Process victim = process;
    if (victim == null) {
      return;
    }
    switch (fault) {
      case KILL -> {
        end = fault;
        victim.destroyForcibly();
      }
      case PAUSE -> pause(victim, Fault.millis(random, 3_500, 6_500));
      case LEAVE -> {
        end = fault;
        try {
          victim.getOutputStream().close();
        } catch (IOException ended) {
          // unexpectedEnd() tells how
        }
      }
      default -> throw new IllegalArgumentException("not a fault of a process: " + fault);
    }
  }

  /** A separate process continues the victim, which so does not stay stopped without a parent. */
  private void pause(Process victim, Duration time) {
    String script = "kill -STOP \"$0\" && sleep \"$1\"; kill -CONT \"$0\"";
    String seconds = String.valueOf(time.toMillis() / 1_000.0);
    try {
      pause =
          new ProcessBuilder("sh", "-c", script, String.valueOf(victim.pid()), seconds)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run sh", e);
    }
  }

  boolean await(Duration time) throws InterruptedException {
    return process == null || process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Harms the network, unless it is harmed already; returns whether it was. */
  boolean harmNetwork(Fault fault, RandomGenerator random) {
    if (proxy == null || mending != null) {
      return false;
    }
    mending = System.nanoTime() + fault.begin(proxy, random).toNanos();
    return true;
  }

  /** Mends the network when its time has come. */
  void mendNetwork(boolean now) {
    if (proxy != null && mending != null && (now || System.nanoTime() - mending >= 0)) {
      proxy.cut(); // connections that fell silent break at last
      proxy.mend();
      mending = null;
    }
  }

  /** Lists the modes without a value in this life, or since {@link #forget}. */
  List<Mode> missing() {
    return settings.apply(life).modes().stream()
        .filter(mode -> received(mode) <= forgotten.getOrDefault(mode, 0L))
        .toList();
  }

  void forget() {
    settings.apply(life).modes().forEach(mode -> forgotten.put(mode, received(mode)));
  }

  private long received(Mode mode) {
    return Tape.read(settings.apply(life).tape(mode), Tape.Count.RECEIVED);
  }

  @Override
  public String toString() {
    return "process " + number + ", life " + life;
  }

  /** Kills the process. A thread that ends the JVM may call this while the main thread goes on. */
  @Override
  public synchronized void close() {
    closed = true;
    Process running = process;
    if (running != null) {
      end = Fault.KILL;
      running.destroyForcibly();
    }
    if (proxy != null) {
      proxy.close();
    }
  }
}
