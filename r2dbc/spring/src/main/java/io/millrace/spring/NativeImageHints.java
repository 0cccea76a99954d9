package io.millrace.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * What a native image has to keep for this module, beside what Spring finds out from its beans and
 * from {@code spring.factories}.
 */
final class NativeImageHints implements RuntimeHintsRegistrar {

  private static final String SPANNER_TIMESTAMP = "com.google.cloud.Timestamp";

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
    hints
        .reflection()
        .registerTypeIfPresent(classes, StoreConnections.POOL)
        .registerTypeIfPresent(classes, MissingStoreConfiguration.SPANNER_STORE);
    if (ClassUtils.isPresent(SPANNER_TIMESTAMP, classes)) {
      // Spring reads from their classes which types they convert.
      SpannerConverters.ALL.forEach(each -> hints.reflection().registerType(each.getClass()));
    }
  }
}
