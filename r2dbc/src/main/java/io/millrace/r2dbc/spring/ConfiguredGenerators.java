package io.millrace.r2dbc.spring;

import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceGeneratorsBuilder;
import io.millrace.SequenceStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Generators as the properties describe them. */
record ConfiguredGenerators(
    MillraceProperties properties,
    RecorderSource recorders,
    List<SequenceGeneratorBuilderCustomizer> customizers) {

  SequenceGenerators over(SequenceStore store, StoreObserver observer) {
    GeneratorOptions.checkDefaults(properties);
    SequenceGeneratorsBuilder builder = SequenceGenerators.builder(observer.observe(named(store)));
    PropertyRefusal.naming("max-generators", properties.getMaxGenerators(), builder::maxGenerators);
    PropertyRefusal.naming("idle-after", properties.getIdleAfter(), builder::idleAfter);
    PropertyRefusal.naming(
        "max-concurrent-reservations",
        properties.getMaxConcurrentReservations(),
        builder::maxConcurrentReservations);
    properties
        .getSequences()
        .forEach(
            (name, own) ->
                PropertyRefusal.naming(
                    "sequences",
                    name,
                    key -> builder.sequence(key, options("sequences." + key, own, key))));
    properties.getTemplates().forEach((key, own) -> addTemplate(builder, "templates." + key, own));
    return PropertyRefusal.naming("sequences", null, builder::build);
  }

  private void addTemplate(
      SequenceGeneratorsBuilder builder, String place, MillraceProperties.Template own) {
    String pattern = own.getPattern();
    if (pattern == null) {
      throw PropertyRefusal.of(place + ".pattern", null, "it is missing");
    }
    PropertyRefusal.naming(
        place + ".pattern", pattern, text -> builder.template(text, options(place, own, text)));
  }

  private Consumer<SequenceGeneratorBuilder> options(
      String place, GeneratorProperties own, String name) {
    GeneratorOptions options = GeneratorOptions.of(properties, place, own);
    return builder -> {
      options.applyTo(builder);
      builder.metrics(recorders.of(name));
      customizers.forEach(customizer -> customizer.customize(name, builder));
    };
  }

  private SequenceStore named(SequenceStore store) {
    Map<String, String> rows = new HashMap<>();
    properties
        .getSequences()
        .forEach(
            (name, own) -> {
              String row = own.getRow();
              if (row != null) {
                rows.put(name, row);
              }
            });
    return rows.isEmpty() ? store : new RenamedRows(store, rows);
  }
}
