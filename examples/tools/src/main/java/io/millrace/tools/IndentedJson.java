package io.millrace.tools;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON for people and programs: indented, with properties in the order of declaration. */
public final class IndentedJson {

  private IndentedJson() {}

  /** A builder of a mapper. */
  public static JsonMapper.Builder builder() {
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY);
  }
}
