package io.millrace.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The classes that a native image must keep for this module, in addition to those that Spring
 * detects from its beans and from {@code spring.factories}.
 */
final class NativeImageHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
    hints
        .reflection()
        .registerTypeIfPresent(classes, StoreConnections.POOL)
        .registerTypeIfPresent(classes, StartFailureAnalyzer.MAPPING_EXCEPTION)
        .registerTypeIfPresent(classes, MissingStoreConfiguration.SPANNER_STORE);
  }
}
