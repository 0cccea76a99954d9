package io.millrace.internal;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Hooks;

/**
 * Checks the version of Reactor that a program runs with. A driver that is declared before Millrace
 * may bring a version that is too old. Without this check, the first stream would end with a {@link
 * NoSuchMethodError}.
 */
public final class ReactorVersion {

  private static final String NEEDED = "3.7.12";

  private static final @Nullable String REFUSAL = refusal();

  private ReactorVersion() {}

  private static @Nullable String refusal() {
    try {
      Hooks.class.getMethod("isAutomaticContextPropagationEnabled");
      return null;
    } catch (NoSuchMethodException old) {
      return "Millrace needs reactor-core "
          + NEEDED
          + " or later, found "
          + Hooks.class.getPackage().getImplementationVersion()
          + ": declare Millrace's artefact before the database's driver, or manage the version of"
          + " reactor-core";
    }
  }

  /**
   * Checks that Reactor is recent enough.
   *
   * @throws IllegalStateException if it is not; the message names both versions
   */
  public static void check() {
    if (REFUSAL != null) {
      throw new IllegalStateException(REFUSAL);
    }
  }
}
