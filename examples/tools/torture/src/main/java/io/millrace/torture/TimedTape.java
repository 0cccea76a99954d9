package io.millrace.torture;

import java.nio.file.Path;

/**
 * The requests of one lane, three longs each: when it was made, its value, and when the value was
 * received. The times are of {@link System#nanoTime}. On Linux that is CLOCK_MONOTONIC, which all
 * processes of a machine share, so the times of different processes can be compared.
 */
final class TimedTape {

  static final int LONGS = 3;

  /** In place of the time at which the value was received: the subscriber left. */
  static final long LEFT = -1;

  private final Tape tape;

  TimedTape(Path file) {
    this.tape = new Tape(file);
  }

  /** Records that a request is about to be made. */
  int invoked() {
    int request = tape.place();
    tape.place();
    tape.place();
    tape.set(request, System.nanoTime());
    return request;
  }

  /** Records the value of a request. Called at most once for each, by any thread. */
  void received(int request, long value) {
    tape.set(request + 1, value);
    tape.set(request + 2, System.nanoTime());
  }

  /** Records that nobody waits for the value any more, which may still come. */
  void left(int request) {
    tape.setIfAbsent(request + 2, LEFT);
  }
}
