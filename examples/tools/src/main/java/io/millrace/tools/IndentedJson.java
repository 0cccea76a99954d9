package io.millrace.tools;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON for people and programs: indented, and in the order in which its parts are declared. */
public final class IndentedJson {

  private IndentedJson() {}

  /** A new mapper, to be set up further. */
  public static JsonMapper.Builder builder() {
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY);
  }
}
