package io.millrace.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A file of longs that survives the death of its process: it is mapped into memory, so a write
 * needs no system call and belongs to the kernel at once. A zero was not written. A long is written
 * as a whole.
 *
 * <p>Not thread-safe, except that any thread may {@link #set} a place that was appended before.
 */
final class Tape {

  static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** Longs in one mapping; a multiple of the longs of a {@link TimedTape}'s request. */
  private static final int CHUNK = 3 << 12;

  private final Path file;
  private final List<MappedByteBuffer> chunks = new CopyOnWriteArrayList<>();
  private int size;

  Tape(Path file) {
    this.file = file;
    chunks.add(map(0));
  }

  private MappedByteBuffer map(int chunk) {
    long bytes = (long) CHUNK * Long.BYTES;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(MapMode.READ_WRITE, chunk * bytes, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The place of the next long. */
  int size() {
    return size;
  }

  /** Appends a long; any value except 0. */
  void append(long value) {
    set(place(), value);
  }

  /** Appends a long that {@link #set} will write, or nothing will. */
  int place() {
    if (size / CHUNK == chunks.size()) {
      chunks.add(map(chunks.size()));
    }
    return size++;
  }

  /** Writes a long at a place. The reader sees it after all that this thread wrote before. */
  void set(int place, long value) {
    LONGS.setRelease(chunks.get(place / CHUNK), place % CHUNK * Long.BYTES, value);
  }

  /** Writes a long at a place unless one was written. */
  void setIfAbsent(int place, long value) {
    LONGS.compareAndSet(chunks.get(place / CHUNK), place % CHUNK * Long.BYTES, 0L, value);
  }
}
