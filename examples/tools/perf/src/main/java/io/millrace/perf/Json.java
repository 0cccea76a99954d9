package io.millrace.perf;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.millrace.tools.IndentedJson;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Writes runs as JSON. Unknown values are left out. */
final class Json {

  private static final JsonMapper MAPPER =
      IndentedJson.builder()
          .changeDefaultPropertyInclusion(value -> value.withValueInclusion(Include.NON_NULL))
          .build();

  /**
   * The document.
   *
   * @param command the command line
   * @param database the database
   * @param ended the time of the end, in ISO-8601
   * @param roundTrips the round trips to the database
   * @param runs the results
   */
  private record Document(
      String command, String database, String ended, RoundTrips roundTrips, List<Figures> runs) {}

  private Json() {}

  static String of(
      String command, String database, String ended, RoundTrips roundTrips, List<Figures> runs) {
    return MAPPER.writeValueAsString(new Document(command, database, ended, roundTrips, runs));
  }
}
