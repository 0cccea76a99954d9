package io.millrace.spanner;

import io.millrace.blocking.SpannerClientWaits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;

/**
 * The blocking calls that BlockHound saw in this JVM, on Reactor's parallel threads and, under our
 * own code, on gRPC's. They are recorded rather than thrown, because a throw inside the client
 * would be lost.
 */
final class BlockedCalls {

  /** Where a worker waits for its next task, in a wait that may have begun before BlockHound. */
  private static final String IDLE = ThreadPoolExecutor.class.getName() + ".getTask";

  private static final List<String> SEEN = new CopyOnWriteArrayList<>();

  private BlockedCalls() {}

  /**
   * Arms BlockHound; once a JVM.
   *
   * @param ours which stack frames, as class and method, are our own code
   */
  static void arm(Predicate<String> ours) {
    SpannerClientWaits.watch()
        .loadIntegrations()
        .nonBlockingThreadPredicate(
            reactive -> reactive.or(thread -> thread.getName().startsWith("grpc-")))
        .blockingMethodCallback(method -> record(String.valueOf(method), ours))
        .install();
  }

  /** gRPC's own threads wait for work and for each other; what counts there is what we do. */
  private static void record(String method, Predicate<String> ours) {
    List<String> callers =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .filter(frame -> !frame.startsWith(BlockedCalls.class.getName()))
                        .dropWhile(frame -> !frame.startsWith("reactor.blockhound."))
                        .dropWhile(frame -> frame.startsWith("reactor.blockhound."))
                        .limit(80)
                        .toList());
    String thread = Thread.currentThread().getName();
    if (callers.contains(IDLE)) {
      return;
    }
    if (thread.startsWith("parallel-") || callers.stream().anyMatch(ours)) {
      SEEN.add(thread + ": " + method + " called by " + callers);
    }
  }

  static List<String> seen() {
    return SEEN;
  }
}
