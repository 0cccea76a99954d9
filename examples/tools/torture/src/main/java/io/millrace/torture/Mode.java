package io.millrace.torture;

import io.millrace.SequenceGeneratorBuilder;
import java.time.Duration;
import java.util.Locale;

/** The ways to take values. Each has its own sequence, which starts at 1. */
enum Mode {
  /** Reservations as large as the demand; values rise over all processes. */
  ORDERED(Workload.GENERATORS, 0, Mode.LANES),
  /** Blocks of a fixed size. */
  BATCH(Workload.GENERATORS, 100, Mode.DEMAND),
  /** Blocks of a fixed size, the next reserved ahead. */
  WATERMARK(Workload.GENERATORS, 140, Mode.DEMAND),
  /** Block and watermark follow the consumption. */
  ADAPTIVE(Workload.GENERATORS, 1_000, Mode.DEMAND),
  /** Numbers taken in the transaction that inserts a row. */
  TRANSACTIONAL(Workload.TRANSACTIONAL, 0, 0),
  /** Numbers of rows of concurrent requests that share transactions. */
  WRITER(Workload.ROWS, 0, 0);

  /** What a run does; the names are those of the command line. */
  enum Workload {
    GENERATORS,
    ROWS,
    TRANSACTIONAL
  }

  /** The number of concurrent subscribers of a process in a mode. */
  static final int LANES = 2;

  /** The most values that a subscription requests. */
  static final int LARGEST_REQUEST = 100;

  private static final int DEMAND = LANES * LARGEST_REQUEST;

  private final Workload workload;
  private final long buffer;
  private final long demand;

  /**
   * @param buffer the most values that a generator buffers when no subscriber has cancelled
   * @param demand the most values requested at a time by the subscribers of a process
   */
  Mode(Workload workload, long buffer, long demand) {
    this.workload = workload;
    this.buffer = buffer;
    this.demand = demand;
  }

  Workload workload() {
    return workload;
  }

  String sequence() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether each value is the number of a row that is inserted with it. */
  boolean insertsRows() {
    return workload != Workload.GENERATORS;
  }

  /** The table of the rows. */
  String table() {
    return "rows_" + sequence();
  }

  /** Whether a value that was requested after another was received is greater, everywhere. */
  boolean isOrdered() {
    return this == ORDERED || insertsRows();
  }

  /** Sets the sizes of blocks. */
  SequenceGeneratorBuilder configure(SequenceGeneratorBuilder builder) {
    return switch (this) {
      case ORDERED -> builder.blockSize(1);
      case WATERMARK -> builder.blockSize(100).lowWatermark(40);
      case ADAPTIVE -> builder.adaptive(10, 500, Duration.ofSeconds(1));
      case BATCH -> builder.blockSize(buffer);
      case TRANSACTIONAL, WRITER -> throw new IllegalStateException("no generator for " + this);
    };
  }

  /**
   * The most values that become gaps when a process is killed. Subscribers that cancelled leave
   * what they had requested in the buffer, and a reservation is as large as the demand.
   */
  long lossOfKill() {
    return buffer + 2 * demand;
  }

  /** The most values that become gaps when the outcome of a reservation is unknown. */
  long lossOfFailure() {
    return buffer + demand;
  }
}
