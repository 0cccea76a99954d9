package io.millrace.internal;

import java.lang.invoke.MethodHandles;

/**
 * Checks for room on a thread's stack. Code that must not be left half done calls it first. If the
 * stack would overflow, it overflows here, before any work has begun.
 */
public final class StackRoom {

  /** More than the calls of the engine and of a scheduler need: some 10 to 40 kB. */
  private static final int FRAMES = 192;

  /** More than it takes to report a generator as idle. */
  private static final int FRAMES_TO_TELL = 24;

  private StackRoom() {}

  /**
   * Initializes classes now, with room on the stack. Otherwise their first use would initialize
   * them on a stack that may be nearly full. A class whose initialization overflows is unusable for
   * the rest of the process.
   *
   * @param caller the caller's own lookup
   * @param classes classes that the caller may use
   */
  public static void initialize(MethodHandles.Lookup caller, Class<?>... classes) {
    try {
      for (Class<?> each : classes) {
        caller.ensureInitialized(each);
      }
    } catch (IllegalAccessException hidden) {
      throw new IllegalArgumentException("a class that the caller cannot use", hidden);
    }
  }

  /**
   * Checks that there is room for the end of a lease.
   *
   * @throws StackOverflowError if there is not
   */
  public static void forLeaseEnd() {
    descend(FRAMES_FOR_LEASE_END, 1, 2, 3, 4);
  }

  /**
   * Checks that there is room to cancel a subscription and end its lease.
   *
   * @throws StackOverflowError if there is not
   */
  public static void forLeasing() {
    descend(3 * FRAMES_FOR_LEASE_END, 1, 2, 3, 4);
  }

  /**
   * Checks that there is room for the drain loop's own work.
   *
   * @throws StackOverflowError if there is not
   */
  public static void forDraining() {
    descend(FRAMES, 1, 2, 3, 4);
  }

  /**
   * Checks that there is room for work that ends with a run of the drain loop.
   *
   * @throws StackOverflowError if there is not
   */
  public static void forWorkAndDraining() {
    descend(2 * FRAMES, 1, 2, 3, 4);
  }

  /** Uses the arguments after the call, so each frame has to hold them. */
  private static long descend(int frames, long a, long b, long c, long d) {
    return frames == 0 ? a : descend(frames - 1, b, c, d, a + frames) + (a ^ b ^ c ^ d);
  }
}
