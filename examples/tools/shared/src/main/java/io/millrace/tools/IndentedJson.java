package io.millrace.tools;

import io.millrace.internal.ShownText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON for people and programs: indented, with properties in the order of declaration. Characters
 * that act on a terminal are escaped.
 */
public final class IndentedJson {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().characterEscapes(new Escapes()).build();

  private IndentedJson() {}

  /** A builder of a mapper. */
  public static JsonMapper.Builder builder() {
    return JsonMapper.builder(FACTORY)
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY);
  }

  private static final class Escapes extends CharacterEscapes {

    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = standardAsciiEscapesForJSON();
      codes[DELETE] = ESCAPE_STANDARD;
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return ShownText.isPlain(character) || Character.isSurrogate((char) character)
          ? null
          : new SerializedString(String.format("\\u%04X", character));
    }
  }
}
