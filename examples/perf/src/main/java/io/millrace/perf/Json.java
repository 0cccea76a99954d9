package io.millrace.perf;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;

/** Runs as JSON. */
final class Json {

  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  /**
   * The document.
   *
   * @param command what was run
   * @param database where
   * @param ended when, as ISO-8601 says it
   * @param runs what it gave
   */
  private record Document(String command, String database, String ended, List<Figures> runs) {}

  private Json() {}

  static String of(String command, String database, String ended, List<Figures> runs) {
    return GSON.toJson(new Document(command, database, ended, runs));
  }
}
