package io.millrace.spanner;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on the calling thread, one after the other: a call that is made within another one
 * runs when that has returned. So a chain of calls that lead to each other takes no stack.
 *
 * <p>A call must not wait for another one of its thread, which runs only after it.
 */
final class Trampoline {

  /** The calls that wait for the one that the thread is in. Not set on a thread that is in none. */
  private static final ThreadLocal<@Nullable Queue<Runnable>> WAITING = new ThreadLocal<>();

  private Trampoline() {}

  /** Runs a call, now or when the thread returns from the calls it is in. It throws nothing. */
  static void run(Runnable call) {
    Queue<Runnable> waiting = WAITING.get();
    if (waiting != null) {
      waiting.add(call);
      return;
    }
    Queue<Runnable> within = new ArrayDeque<>();
    WAITING.set(within);
    for (Runnable next = call; next != null; next = within.poll()) {
      next.run();
    }
    WAITING.remove();
  }
}
