package io.millrace.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import reactor.core.scheduler.Schedulers;

/**
 * The resources that a process holds at one time.
 *
 * @param threads how many there are of each name, without the numbers in the name
 * @param tasks scheduled on Reactor's schedulers
 * @param sockets that are open; 0 where the system does not list them
 */
record Leftovers(Map<String, Integer> threads, int tasks, int sockets) {

  /**
   * Spanner's client keeps one executor for the whole process, also when it is closed. It starts up
   * to this many threads, one by one as tasks arrive.
   */
  private static final Map<String, Integer> STARTED_ON_DEMAND =
      Map.of("Gax-#", Math.max(4, Runtime.getRuntime().availableProcessors()));

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** A logger is kept only while it is referenced. */
  private static final Logger SESSIONS = Logger.getLogger("com.google.cloud.spanner.SessionPool");

  /** A set, because Reactor calls its hook again for each scheduler made from an executor. */
  private static final Set<ScheduledThreadPoolExecutor> EXECUTORS = ConcurrentHashMap.newKeySet();

  private static final Queue<String> LEAKED_SESSIONS = new ConcurrentLinkedQueue<>();

  /** Must be called before Reactor's schedulers and Spanner's client are used. */
  static void watch() {
    Schedulers.addExecutorServiceDecorator(
        "leftovers",
        (scheduler, executor) -> {
          if (executor instanceof ScheduledThreadPoolExecutor pool) {
            EXECUTORS.add(pool);
          }
          return executor;
        });
    SESSIONS.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            if (String.valueOf(entry.getMessage()).contains("Leaked session")) {
              LEAKED_SESSIONS.add(entry.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  static Leftovers now() {
    Map<String, Integer> threads = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      threads.merge(thread.getName().replaceAll("[0-9]+", "#"), 1, Integer::sum);
    }
    int tasks = 0;
    for (ScheduledThreadPoolExecutor executor : EXECUTORS) {
      tasks += executor.getQueue().size();
    }
    return new Leftovers(threads, tasks, openSockets());
  }

  private static int openSockets() {
    int sockets = 0;
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      for (Path descriptor : descriptors.toList()) {
        sockets += isSocket(descriptor) ? 1 : 0;
      }
    } catch (IOException e) {
      return 0;
    }
    return sockets;
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // closed since
    }
  }

  /** How many sessions Spanner's client found missing when it was closed. */
  static int leakedSessions() {
    return LEAKED_SESSIONS.size();
  }

  int threadCount() {
    return threads.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Lists the resources of which there are more than before. */
  List<String> moreThan(Leftovers before) {
    List<String> more = new ArrayList<>();
    threads.forEach(
        (name, count) -> {
          if (count > STARTED_ON_DEMAND.getOrDefault(name, 0)) {
            add(more, "threads " + name, before.threads.getOrDefault(name, 0), count);
          }
        });
    add(more, "scheduled tasks", before.tasks, tasks);
    add(more, "sockets", before.sockets, sockets);
    return more;
  }

  private static void add(List<String> more, String what, int before, int after) {
    if (after > before) {
      more.add(what + ": " + before + " before, " + after + " after");
    }
  }
}
