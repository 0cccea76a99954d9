package io.millrace.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What the subscribers of one mode received in one life of a process. The file is mapped into
 * memory, so a write belongs to the kernel at once and survives SIGKILL. It begins with a long for
 * each {@link Count}, followed by four longs for each value. Thread-safe.
 */
final class Tape {

  /** What is counted. */
  enum Count {
    /** Values on the tape. */
    RECEIVED,
    /** Reservations that failed, or whose answer came too late. */
    FAILURES,
    /** Values that generators reported as gaps. */
    GAPS,
    /** Generators that were disposed or evicted. */
    CLOSED
  }

  /**
   * A value that a subscriber received. The times are of {@link System#nanoTime}, which on Linux
   * all processes of a machine share.
   *
   * @param request the subscription, or the row that the request inserted: {@link #request}
   * @param start when it was requested
   * @param end when it was received
   */
  record Received(long request, long start, long value, long end) {

    @Override
    public String toString() {
      return value + " of process " + (request >>> 48) + ", life " + (request >>> 32 & 0xFFFF);
    }
  }

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final int HEADER = Count.values().length;
  private static final int RECORD = 4;

  /** The file is sparse: pages that were not written take no space. */
  private static final int BYTES = 1 << 28;

  private final MappedByteBuffer file;

  Tape(Path path) {
    try (FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file = channel.map(MapMode.READ_WRITE, 0, BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    file.order(ByteOrder.nativeOrder());
  }

  /** Makes a number of a request that no other process and no other life uses. */
  static long request(int process, int life, int number) {
    return (long) process << 48 | (long) life << 32 | number;
  }

  /** Appends a value that a subscriber receives now. */
  synchronized void append(long request, long start, long value) {
    long count = file.getLong(0);
    int at = Math.toIntExact((HEADER + RECORD * count) * Long.BYTES);
    file.putLong(at, request);
    file.putLong(at + Long.BYTES, start);
    file.putLong(at + 2 * Long.BYTES, value);
    file.putLong(at + 3 * Long.BYTES, System.nanoTime());
    LONGS.setRelease(file, 0, count + 1); // readers see complete records only
  }

  synchronized void add(Count count, long number) {
    int at = count.ordinal() * Long.BYTES;
    file.putLong(at, file.getLong(at) + number);
  }

  /** Reads a count, also while the file is written; 0 if there is no file yet. */
  static long read(Path path, Count count) {
    if (Files.notExists(path)) {
      return 0;
    }
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer read = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
      channel.read(read, (long) count.ordinal() * Long.BYTES);
      return read.getLong(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads all values, in the order in which they were received. */
  static List<Received> read(Path path) {
    int count = Math.toIntExact(read(path, Count.RECEIVED));
    List<Received> all = new ArrayList<>(count);
    if (count == 0) { // the process may have been killed before it mapped the file
      return all;
    }
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer file =
          channel
              .map(MapMode.READ_ONLY, 0, (HEADER + (long) RECORD * count) * Long.BYTES)
              .order(ByteOrder.nativeOrder());
      file.position(HEADER * Long.BYTES);
      for (int i = 0; i < count; i++) {
        all.add(new Received(file.getLong(), file.getLong(), file.getLong(), file.getLong()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }
}
