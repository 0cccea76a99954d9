package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A process that is restarted whenever it has ended.
 *
 * <p>Used by the parent's main thread; any thread may call {@link #counts()} and {@link #close()}.
 */
final class Worker implements AutoCloseable {

  private static final List<String> JVM =
      List.of(
          "-Xmx96m",
          "-Xss512k",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-XX:+ExitOnOutOfMemoryError",
          "-Dio.netty.allocator.type=unpooled");

  private enum State {
    RUNNING,
    KILLED,
    LEAVING
  }

  private final int number;
  private final Path directory;
  private final IntFunction<ChildSettings> settings;
  private final Map<String, String> environment;
  private final Map<Mode, LiveCounts.Total> totals;
  private final @Nullable TcpProxy proxy;

  private volatile @Nullable Process process;
  private @Nullable Process pause;
  private volatile State state = State.RUNNING;
  private int life = -1;
  private boolean closed;
  private final List<Integer> livesThatLeft = new ArrayList<>();
  private volatile @Nullable LiveCounts counts;

  /**
   * @param settings for each life
   * @param environment variables of the process
   * @param proxy between the process and the database; null if there is none
   */
  Worker(
      int number,
      Path directory,
      IntFunction<ChildSettings> settings,
      Map<String, String> environment,
      Map<Mode, LiveCounts.Total> totals,
      @Nullable TcpProxy proxy) {
    this.number = number;
    this.directory = directory;
    this.settings = settings;
    this.environment = environment;
    this.totals = totals;
    this.proxy = proxy;
  }

  /**
   * Starts the process, for its next life, unless this worker is closed.
   *
   * @param options of its JVM
   */
  synchronized void start(List<String> options) {
    if (closed) {
      return;
    }
    life++;
    state = State.RUNNING;
    counts = new LiveCounts(directory, number, life, totals);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(settings.apply(life).arguments());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log()));
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a process", e);
    }
  }

  File log() {
    return directory.resolve("process-" + number + ".log").toFile();
  }

  /** Whether the process is there and obeys; false while it is paused or leaves. */
  boolean isActive() {
    return isAlive() && state == State.RUNNING && (pause == null || !pause.isAlive());
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /**
   * Returns why the process ended, once.
   *
   * @return null if it was killed, or left on command
   */
  @Nullable String unexpectedEnd() {
    Process ended = process;
    process = null;
    if (ended == null || state == State.KILLED) {
      return null;
    }
    int code = ended.exitValue();
    if (state == State.LEAVING && code == 0) {
      livesThatLeft.add(life);
      return null;
    }
    return this + " ended with code " + code + ", see " + log();
  }

  /** Sends SIGKILL. */
  void kill() {
    Process victim = process;
    if (victim != null && victim.isAlive()) {
      state = State.KILLED;
      victim.destroyForcibly();
    }
  }

  /** Waits for the end of the process. */
  boolean await(Duration time) throws InterruptedException {
    return process == null || process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Sends SIGSTOP, and SIGCONT after a time. A separate process does that, so the worker does not
   * stay stopped if the parent ends.
   */
  void pause(Duration time) {
    Process victim = process;
    if (victim == null) {
      return;
    }
    try {
      pause =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "kill -STOP \"$1\" && sleep \"$2\"; kill -CONT \"$1\"",
                  "sh",
                  String.valueOf(victim.pid()),
                  String.valueOf(time.toMillis() / 1_000.0))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run sh", e);
    }
  }

  /** Sends the process the command to dispose its generators and to build new ones. */
  void renew() {
    send(Child.RENEW);
  }

  /** Sends the process the command to dispose its generators and to exit. */
  void leave() {
    state = State.LEAVING;
    send(Child.LEAVE);
  }

  private void send(String command) {
    Process receiver = process;
    if (receiver == null) {
      return;
    }
    try {
      receiver.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
      receiver.getOutputStream().flush();
    } catch (IOException e) {
      // it has ended, and unexpectedEnd() says how
    }
  }

  /** Whether its subscribers have received values in all modes, in this life. */
  boolean isWarm() {
    LiveCounts live = counts;
    return live != null && live.missing().isEmpty();
  }

  /** The counts of the present life. */
  @Nullable LiveCounts counts() {
    return counts;
  }

  int number() {
    return number;
  }

  /** How often the process was started, less 1. */
  int life() {
    return life;
  }

  /** The lives that ended because the process was sent the command to leave. */
  List<Integer> livesThatLeft() {
    return livesThatLeft;
  }

  @Nullable TcpProxy proxy() {
    return proxy;
  }

  @Override
  public String toString() {
    return "process " + number + ", life " + life;
  }

  /**
   * Kills the process. The thread that ends the JVM may call this while the main thread goes on.
   */
  @Override
  public synchronized void close() {
    closed = true;
    kill();
    if (proxy != null) {
      proxy.close();
    }
  }
}
