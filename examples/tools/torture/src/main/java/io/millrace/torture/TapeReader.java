package io.millrace.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a tape from where it stopped the last time, also while it is written.
 *
 * <p>Not thread-safe.
 */
final class TapeReader {

  private static final int LONGS_AT_A_TIME = 3 << 12;

  /** Takes what was written since the last time. */
  @FunctionalInterface
  interface Reader {

    /**
     * Takes longs from the buffer's position on.
     *
     * @return how many of them are done with; the others come again the next time
     */
    int read(LongBuffer longs);
  }

  private final Path file;
  private long place;

  TapeReader(Path file) {
    this.file = file;
  }

  /** Passes on what is there; nothing if there is no file yet. */
  void read(Reader reader) {
    if (Files.notExists(file)) {
      return;
    }
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(LONGS_AT_A_TIME * Long.BYTES).order(ByteOrder.nativeOrder());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int done;
      do {
        bytes.clear();
        channel.read(bytes, place * Long.BYTES);
        bytes.flip();
        done = bytes.limit() < Long.BYTES ? 0 : reader.read(bytes.asLongBuffer());
        place += done;
      } while (done > 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
