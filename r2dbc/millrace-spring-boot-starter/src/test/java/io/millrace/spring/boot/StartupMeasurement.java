package io.millrace.spring.boot;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import startup.Program;

/**
 * Prints what the starter adds to the start of an application: not a test, and run only by its
 * name. Starts with and without it alternate.
 */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class StartupMeasurement {

  private static final int STARTS = 10;
  private static final Pattern READY = Pattern.compile("ready after (\\d+) ms");

  private static final String[] WITH = {
    "--millrace.create-table=true", "--millrace.sequences.order_id.create=true"
  };

  private static final String[] WITHOUT = {
    "--spring.autoconfigure.exclude=io.millrace.spring.boot.MillraceAutoConfiguration"
  };

  @Test
  void printsMedians(R2dbcDatabase database, @TempDir Path folder)
      throws IOException, InterruptedException {
    List<Long> with = new ArrayList<>();
    List<Long> without = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      without.add(start(database, folder, WITHOUT));
      with.add(start(database, folder, WITH));
    }
    System.out.printf(
        "median of %d starts: with the starter %d ms, without it %d ms%n",
        STARTS, median(with), median(without));
  }

  private static long start(R2dbcDatabase database, Path folder, String... more)
      throws IOException, InterruptedException {
    String output =
        new ForkedJava(folder)
            .run(
                Map.of(),
                Stream.concat(
                        Stream.of(
                            Program.class.getName(),
                            "--spring.main.web-application-type=none",
                            "--spring.sql.init.mode=never",
                            "--spring.r2dbc.url=r2dbc:postgresql://postgres:postgres@localhost:%d/%s"
                                .formatted(database.port(), database.name())),
                        Stream.of(more))
                    .toArray(String[]::new));
    Matcher ready = READY.matcher(output);
    if (!ready.find()) {
      throw new IllegalStateException(output);
    }
    return Long.parseLong(ready.group(1));
  }

  private static long median(List<Long> times) {
    Collections.sort(times);
    return (times.get((times.size() - 1) / 2) + times.get(times.size() / 2)) / 2;
  }
}
