package io.millrace.webflux;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The lines of one import, as its body arrives. An incomplete line is kept up to {@link #LONGEST}
 * bytes; a longer line is reported and skipped. Blank lines are only counted.
 */
final class ImportLines {

  /** The maximum length of a line in bytes. */
  static final int LONGEST = 256 * 1024;

  private final ImportReader reader;

  /** The beginning of the line that has not ended yet. */
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  private boolean isTooLong;
  private long number;

  private ImportLines(ImportReader reader) {
    this.reader = reader;
  }

  /** The lines of a body. They are read one by one, as they are requested. */
  static Flux<ImportLine> of(Flux<DataBuffer> body, ImportReader reader) {
    return Flux.defer(
        () -> {
          ImportLines lines = new ImportLines(reader);
          return body.map(ImportLines::bytes)
              .<ImportLine>flatMapIterable(part -> () -> lines.new Part(part), 1)
              .concatWith(Mono.fromSupplier(lines::end));
        });
  }

  private static byte[] bytes(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.read(bytes);
    DataBufferUtils.release(buffer);
    return bytes;
  }

  private void add(byte[] part, int from, int to) {
    if (isTooLong || begun.size() + to - from > LONGEST) {
      isTooLong = true;
      begun.reset();
    } else {
      begun.write(part, from, to - from);
    }
  }

  /** Returns the line that has ended, or null if it is blank. */
  private @Nullable ImportLine end() {
    number++;
    String text = begun.toString(StandardCharsets.UTF_8);
    begun.reset();
    if (isTooLong) {
      isTooLong = false;
      return ImportLine.faulty(number, "a line has at most " + LONGEST + " bytes");
    }
    return text.isBlank() ? null : reader.read(number, text);
  }

  /** The lines that end in one part of the body. */
  private final class Part implements Iterator<ImportLine> {

    private final byte[] part;
    private int at;
    private @Nullable ImportLine next;

    Part(byte[] part) {
      this.part = part;
    }

    @Override
    public boolean hasNext() {
      while (next == null && at < part.length) {
        int end = at;
        while (end < part.length && part[end] != '\n') {
          end++;
        }
        add(part, at, end);
        at = end + 1;
        if (end < part.length) {
          next = end();
        }
      }
      return next != null;
    }

    @Override
    public ImportLine next() {
      ImportLine line = hasNext() ? next : null;
      if (line == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return line;
    }
  }
}
