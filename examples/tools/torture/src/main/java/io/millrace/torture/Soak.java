package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Runs a {@link SoakChild} behind a network that fails every few seconds. */
final class Soak {

  /** Without a fault, between two. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  /** How much longer than the soak the process may live. */
  private static final Duration RESERVE = Duration.ofMinutes(6);

  private final Plan plan;
  private final Database database;
  private final int subscribers;
  private final Faults faults = new Faults();

  Soak(Plan plan, Database database, int subscribers) {
    this.plan = plan;
    this.database = database;
    this.subscribers = subscribers;
  }

  /** Runs to the end, and returns the exit code of the process. */
  int run(PrintStream out) throws IOException, InterruptedException {
    try (TcpProxy proxy = new TcpProxy(database.server())) {
      Process process = start(proxy.port());
      try (BufferedReader printed =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        if (isReady(printed, out)) {
          harm(proxy, process);
          NetworkFault.mend(proxy);
          process.getOutputStream().write((Child.LEAVE + "\n").getBytes(StandardCharsets.UTF_8));
          process.getOutputStream().flush();
        }
        out.println(faults.table());
        out.println();
        printed.lines().forEach(out::println);
        return process.waitFor();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /**
   * Passes over what libraries print when they start. If the process ends, prints it and returns
   * false.
   */
  private static boolean isReady(BufferedReader printed, PrintStream out) throws IOException {
    List<String> before = new ArrayList<>();
    String line = printed.readLine();
    while (line != null && !line.equals(SoakChild.READY)) {
      before.add(line);
      line = printed.readLine();
    }
    if (line == null) {
      before.forEach(out::println);
    }
    return line != null;
  }

  private Process start(int port) throws IOException {
    ChildSettings settings =
        new ChildSettings(
            plan.directory(),
            0,
            0,
            database.address(port),
            database.modes(),
            plan.sizes(),
            plan.rate(),
            plan.time().plus(RESERVE),
            plan.seed(),
            false,
            plan.places());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(SoakChild.class.getName(), String.valueOf(subscribers)));
    command.addAll(settings.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(plan.directory().resolve("soak.log").toFile());
    builder.environment().putAll(Run.environment(port));
    return builder.start();
  }

  private void harm(TcpProxy proxy, Process process) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(plan.seed());
    long end = System.nanoTime() + plan.time().toNanos();
    while (System.nanoTime() - end < 0 && process.isAlive()) {
      NetworkFault fault = NetworkFault.begin(proxy, random);
      faults.add(fault.kind());
      TimeUnit.NANOSECONDS.sleep(fault.time().toNanos());
      NetworkFault.mend(proxy);
      TimeUnit.NANOSECONDS.sleep(QUIET.toNanos());
    }
  }
}
