package io.millrace.torture;

import io.millrace.key.BitReversal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A server with its tables and sequences, which the parent started. Its methods may block. */
abstract class Database implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A description to print. */
  abstract String description();

  /** The modes that it supports: all but Spanner's own sequence. */
  List<Mode> modes() {
    return Arrays.stream(Mode.values()).filter(mode -> mode != Mode.NATIVE).toList();
  }

  /** The server, as {@code host:port}. */
  abstract String server();

  /**
   * How a child reaches it.
   *
   * @param port the server's port, or that of a proxy on the loopback interface
   */
  abstract String address(int port);

  /** The parent's access to it. */
  abstract Access access();

  @Override
  public abstract void close();

  /**
   * Reads how many values were reserved, by all processes.
   *
   * @return the number of values before the counter
   */
  final long reserved(Mode mode) {
    long next =
        access().store(mode).state(mode.sequence()).blockOptional(LIMIT).orElseThrow().nextValue();
    return (mode == Mode.NATIVE ? BitReversal.PRESERVING_SIGN.applyAsLong(next) : next) - 1;
  }
}
