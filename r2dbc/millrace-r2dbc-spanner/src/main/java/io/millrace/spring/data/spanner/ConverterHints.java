package io.millrace.spring.data.spanner;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Keeps the converters in a native image: Spring reads from their classes what they convert. */
final class ConverterHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
    SpannerConverters.ALL.forEach(each -> hints.reflection().registerType(each.getClass()));
  }
}
