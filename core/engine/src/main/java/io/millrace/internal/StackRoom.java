package io.millrace.internal;

import java.lang.invoke.MethodHandles;

/**
 * Checks that a thread's stack has enough room left. Code calls it before work that must not stop
 * half-way. If there is too little room, the stack overflows here, before the work has begun.
 */
public final class StackRoom {

  /** More than the calls of the engine and of a scheduler need: some 10 to 40 kB. */
  private static final int FRAMES = 192;

  /** More than it takes to report a generator as idle. */
  private static final int FRAMES_FOR_LEASE_END = 24;

  private StackRoom() {}

  /**
   * Initializes classes now, while the stack has room. Otherwise their first use initializes them,
   * perhaps on a stack that is nearly full. A class whose initialization overflows cannot be used
   * by the process any more.
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
