package io.millrace.key;

import io.millrace.internal.LogSafe;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fixed table of names and their short codes: {@code "taobao"} is stored as {@code "tb"}. Names
 * and codes correspond one to one.
 *
 * <p>The guide "Design primary keys for Lindorm wide tables" recommends this to keep keys short.
 * Never assign a code that is in use in rows to another name.
 */
public final class CodeTable implements KeyCodec<String, String> {

  private final Map<String, String> codes;
  private final Map<String, String> names;

  private CodeTable(Map<String, String> codes, Map<String, String> names) {
    this.codes = new LinkedHashMap<>(codes);
    this.names = Map.copyOf(names);
  }

  /**
   * Creates a table.
   *
   * @param codes the code of each name
   * @return a table of a copy of {@code codes}
   * @throws IllegalArgumentException if there is no name, if two names share a code, or if a name
   *     or a code is empty or has an unpaired surrogate
   */
  public static CodeTable of(Map<String, String> codes) {
    if (Objects.requireNonNull(codes, "codes").isEmpty()) {
      throw new IllegalArgumentException("a table must have at least one name");
    }
    Map<String, String> names = new HashMap<>();
    codes.forEach(
        (name, code) -> {
          requireText("name", name);
          requireText("code", code);
          String other = names.putIfAbsent(code, name);
          if (other != null) {
            throw new IllegalArgumentException(
                "code "
                    + LogSafe.quote(code)
                    + " must have one name, has "
                    + LogSafe.quote(other)
                    + " and "
                    + LogSafe.quote(name));
          }
        });
    return new CodeTable(codes, names);
  }

  private static void requireText(String what, String text) {
    if (KeyText.requireSetting(what, text).isEmpty()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
  }

  /**
   * Returns the code of a name.
   *
   * @throws KeyFormatException if the table does not have {@code key}
   */
  @Override
  public String apply(String key) {
    return found("name", key, codes.get(NullKeys.refuse(key)));
  }

  /**
   * Returns the name of a code.
   *
   * @throws KeyFormatException if the table does not have {@code value}
   */
  @Override
  public String decode(String value) {
    return found("code", value, names.get(NullKeys.refuse(value)));
  }

  private String found(String what, String key, @Nullable String value) {
    if (value == null) {
      throw new KeyFormatException(
          what + " " + LogSafe.quote(key) + " is not among the " + codes.size() + " of the table");
    }
    return value;
  }

  @Override
  public String toString() {
    return "CodeTable" + codes;
  }
}
