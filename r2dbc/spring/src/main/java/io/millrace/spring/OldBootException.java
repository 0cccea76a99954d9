package io.millrace.spring;

import io.millrace.internal.ShownText;
import org.jspecify.annotations.Nullable;

/** Properties configure sequences, and this version of Spring Boot is too old for them. */
final class OldBootException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  OldBootException(@Nullable String version) {
    super(
        "Boot 4 is needed: millrace.* properties configure sequences with Spring Boot 4 or later, and"
            + " this is Spring Boot "
            + ShownText.line(String.valueOf(version)));
  }
}
