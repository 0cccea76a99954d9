package io.millrace.spanner;

import com.google.cloud.spanner.Spanner;
import io.millrace.SequenceGenerator;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Prints values of a sequence, a line each, marked at its end: {@code HOST DATABASE SEQUENCE
 * COUNT}, where a count of {@code endless} goes on for a minute or until it is killed.
 */
final class ValuesProgram {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private ValuesProgram() {}

  public static void main(String[] arguments) {
    long count = arguments[3].equals("endless") ? Long.MAX_VALUE : Long.parseLong(arguments[3]);
    PrintStream out =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false);
    try (Spanner spanner = SecondJvm.connect(arguments)) {
      SequenceGenerator generator =
          SequenceGenerator.builder(
                  SpannerSequenceStore.create(
                      spanner.getDatabaseClient(SecondJvm.database(arguments))),
                  arguments[2])
              .batchSize(50)
              .maxBatchSize(50)
              .lowWatermark(10)
              .build();
      generator
          .values()
          .limitRate(20)
          .take(count)
          .take(LIMIT)
          .doOnNext(
              value -> {
                out.print(value + "x\n");
                out.flush();
              })
          .blockLast(LIMIT.plusSeconds(30));
      generator.disposeLater().block(LIMIT);
    }
  }
}
