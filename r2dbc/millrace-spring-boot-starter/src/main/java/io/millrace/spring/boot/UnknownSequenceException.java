package io.millrace.spring.boot;

import io.millrace.internal.ShownText;
import java.util.List;

/** Neither a bean nor the properties define a sequence of this name. */
final class UnknownSequenceException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String name;

  UnknownSequenceException(String name, List<String> known, Throwable cause) {
    super(
        ShownText.line(
            "there are "
                + known.stream().map(ShownText::name).toList()
                + "; add the property "
                + property(name)
                + ", or a bean of type Sequence with that name"),
        cause);
    this.name = name;
  }

  /** The name that is not defined. */
  String name() {
    return name;
  }

  private static String property(String name) {
    return PropertyRefusal.shown(
        MillraceProperties.PREFIX + "." + PropertyRefusal.place("sequences", name));
  }
}
