package io.millrace.perf;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.millrace.tools.IndentedJson;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Runs as JSON. What is not known is left out. */
final class Json {

  private static final JsonMapper MAPPER =
      IndentedJson.builder()
          .changeDefaultPropertyInclusion(value -> value.withValueInclusion(Include.NON_NULL))
          .build();

  /**
   * The document.
   *
   * @param command what was run
   * @param database where
   * @param ended when, as ISO-8601 says it
   * @param roundTrips how far away the database was
   * @param runs what it gave
   */
  private record Document(
      String command, String database, String ended, RoundTrips roundTrips, List<Figures> runs) {}

  private Json() {}

  static String of(
      String command, String database, String ended, RoundTrips roundTrips, List<Figures> runs) {
    return MAPPER.writeValueAsString(new Document(command, database, ended, roundTrips, runs));
  }
}
