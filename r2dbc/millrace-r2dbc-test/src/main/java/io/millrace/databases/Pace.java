package io.millrace.databases;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How fast a proxy passes bytes on: it waits before each piece.
 *
 * @param size the largest piece, in bytes
 * @param latency the shortest wait, in nanoseconds
 * @param jitter how much longer a wait may be, in nanoseconds
 */
record Pace(int size, long latency, long jitter) {

  static final Pace FULL = new Pace(Integer.MAX_VALUE, 0, 0);

  /** Writes bytes piece by piece. */
  void write(OutputStream to, byte[] bytes, int count) throws IOException {
    for (int from = 0; from < count; from += Math.min(size, count - from)) {
      pause();
      to.write(bytes, from, Math.min(size, count - from));
      to.flush();
    }
  }

  private void pause() throws IOException {
    if (latency + jitter == 0) {
      return;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(latency + ThreadLocalRandom.current().nextLong(jitter + 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
