package io.millrace.spring.data.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.AotServices;

/** What a native image keeps. */
class ConverterHintsTest {

  @Test
  void aNativeImageKeepsTheTypesOfTheConverters() {
    RuntimeHints hints = new RuntimeHints();
    AotServices.factories().load(RuntimeHintsRegistrar.class).stream()
        .filter(ConverterHints.class::isInstance)
        .forEach(ours -> ours.registerHints(hints, getClass().getClassLoader()));

    assertThat(SpannerConverters.ALL)
        .hasSizeGreaterThan(15)
        .allSatisfy(
            converter -> assertThat(hints).matches(reflection().onType(converter.getClass())));
  }
}
