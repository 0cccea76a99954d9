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
 * The files to write after all runs.
 *
 * @param json the file for the figures, or null
 * @param markdown the file for a table, or null
 * @param charts the prefix of the names of charts, or null
 */
record Outputs(@Nullable Path json, @Nullable Path markdown, @Nullable Path charts) {

  /** Writes the results. Without results it writes nothing, so the files of an earlier run stay. */
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
      String title = "`./millrace perf " + command + "`, " + ended + ", " + database + ":\n\n";
      written(Files.writeString(markdown, title + new Table(runs).markdown() + "\n"), out);
    }
    if (charts != null) {
      draw(charts, runs, out);
    }
  }

  /** Draws the charts. If the JDK cannot draw, the other files are still written. */
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
