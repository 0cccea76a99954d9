package io.millrace.perf;

import io.millrace.tools.Picture;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files to write when all is run.
 *
 * @param json figures, or null
 * @param markdown a table, or null
 * @param charts what the names of charts begin with, or null
 */
record Outputs(@Nullable Path json, @Nullable Path markdown, @Nullable Path charts) {

  /** Writes what was run; nothing if nothing was, so that the files of an earlier run stay. */
  void write(String command, String database, Measurements measurements, PrintStream out)
      throws IOException {
    List<Figures> runs = measurements.runs();
    if (runs.isEmpty()) {
      return;
    }
    String ended = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    if (json != null) {
      written(
          Files.writeString(
              json, Json.of(command, database, ended, measurements.roundTrips(), runs) + "\n"),
          out);
    }
    if (markdown != null) {
      String title = "`./perf " + command + "`, " + ended + ", " + database + ":\n\n";
      written(Files.writeString(markdown, title + new Table(runs).markdown() + "\n"), out);
    }
    if (charts != null) {
      draw(charts, runs, out);
    }
  }

  /** A JDK that cannot draw is no reason to lose the figures. */
  private static void draw(Path name, List<Figures> runs, PrintStream out) throws IOException {
    if (!Picture.canDraw()) {
      out.println("No charts: " + Picture.NO_FONTS);
      return;
    }
    for (Path file : new Charts(runs).write(name)) {
      written(file, out);
    }
  }

  private static void written(Path file, PrintStream out) {
    out.println("Wrote " + file);
  }
}
