package io.millrace;

/**
 * Room on a thread's stack. Whoever is about to begin what must not be left half done asks for it
 * before: if the stack would overflow, it does so here, where nothing is begun.
 */
final class StackRoom {

  /** More than the engine's own calls and a scheduler's take, some 10 to 30 kB. */
  private static final int FRAMES = 160;

  private StackRoom() {}

  /**
   * Checks that there is room for the engine's own work.
   *
   * @throws StackOverflowError if there is not
   */
  static void require() {
    descend(FRAMES, 1, 2, 3, 4);
  }

  /** The arguments are alive across the call, so that each frame holds them. */
  private static long descend(int frames, long a, long b, long c, long d) {
    return frames == 0 ? a : descend(frames - 1, b, c, d, a + frames) + (a ^ b ^ c ^ d);
  }
}
