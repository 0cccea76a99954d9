package io.millrace.torture;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Counts of one process, for each mode, in a file that survives its death. */
final class Meters implements SequenceMetricsRecorder {

  /** What is counted. */
  enum Count {
    /** Values that reservations obtained. */
    RESERVED,
    /** Attempts to reserve that failed, or whose answer came too late. */
    FAILURES,
    /** Values that the generator reported as gaps. */
    DISCARDED,
    /** Values released to the store. */
    RELEASED,
    /** Generators that were disposed or evicted. */
    DISPOSALS,
    /** Subscribers that left without a value. */
    CANCELS,
    /** Subscribers that received an error, except that the generator was disposed. */
    ERRORS
  }

  private static final int BYTES = Mode.values().length * Count.values().length * Long.BYTES;

  private final ByteBuffer counts;

  private Meters(ByteBuffer counts) {
    this.counts = counts;
  }

  private static Path file(Path directory, int process, int life) {
    return directory.resolve("meters-" + process + "-" + life);
  }

  static Meters open(Path directory, int process, int life) {
    try (FileChannel channel =
        FileChannel.open(
            file(directory, process, life),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, BYTES);
      return new Meters(mapped);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the counts of a process; all are 0 if it died before it wrote any. */
  static Meters read(Path directory, int process, int life) {
    ByteBuffer counts = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    Path file = file(directory, process, life);
    try {
      if (Files.size(file) == BYTES) {
        counts.put(0, Files.readAllBytes(file));
      }
    } catch (java.nio.file.NoSuchFileException e) {
      // it died before
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Meters(counts);
  }

  void add(Mode mode, Count count, long number) {
    Tape.LONGS.getAndAdd(counts, place(mode, count), number);
  }

  long get(Mode mode, Count count) {
    return (long) Tape.LONGS.getVolatile(counts, place(mode, count));
  }

  private static int place(Mode mode, Count count) {
    return (mode.ordinal() * Count.values().length + count.ordinal()) * Long.BYTES;
  }

  private void add(String sequence, Count count, long number) {
    add(Mode.valueOf(sequence.toUpperCase(Locale.ROOT)), count, number);
  }

  @Override
  public void closed(SequenceGenerator generator) {
    add(generator.name(), Count.DISPOSALS, 1);
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    add(sequence, Count.RESERVED, size);
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    add(sequence, Count.FAILURES, 1);
  }

  @Override
  public void discarded(String sequence, long count) {
    add(sequence, Count.DISCARDED, count);
  }

  @Override
  public void released(String sequence, long count) {
    add(sequence, Count.RELEASED, count);
  }
}
