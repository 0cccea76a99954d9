package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.context.properties.PropertyMapper;

/** Generators as the properties describe them. */
record ConfiguredGenerators(
    MillraceProperties properties,
    RecorderSource recorders,
    List<SequenceGeneratorBuilderCustomizer> customizers) {

  SequenceGenerators over(SequenceStore counters) {
    GeneratorOptions.checkDefaults(properties);
    Map<String, String> rows = new HashMap<>();
    properties
        .sequences()
        .forEach(
            (name, own) -> {
              String row = own.getRow();
              if (row != null) {
                rows.put(name, row);
              }
            });
    SequenceStore store = rows.isEmpty() ? counters : new RenamedRows(counters, rows);
    SequenceGenerators.Builder builder = SequenceGenerators.builder(store);
    PropertyRefusal.naming(
        () -> {
          PropertyMapper set = PropertyMapper.get();
          set.from(properties::maxGenerators).to(builder::maxGenerators);
          set.from(properties::idleAfter).to(builder::idleAfter);
          return builder;
        });
    properties
        .sequences()
        .forEach(
            (name, own) ->
                add(builder, store, PropertyRefusal.place("sequences", name), name, own));
    properties
        .templates()
        .forEach((key, own) -> add(builder, store, PropertyRefusal.place("templates", key), own));
    return builder.build();
  }

  private void add(
      SequenceGenerators.Builder builder,
      SequenceStore store,
      String place,
      String name,
      MillraceProperties.Sequence own) {
    GeneratorOptions options = GeneratorOptions.of(properties, place, own);
    Consumer<SequenceGeneratorBuilder> applied = applied(options, name, OutageLog.ofSequence(name));
    PropertyRefusal.naming(place, name, () -> builder.sequence(name, applied));
    options.check(() -> SequenceGenerators.builder(store).sequence(name, applied).build());
  }

  private void add(
      SequenceGenerators.Builder builder,
      SequenceStore store,
      String place,
      MillraceProperties.Template own) {
    String pattern = own.getPattern();
    if (pattern == null) {
      throw PropertyRefusal.of(place + ".pattern", null, "it is missing");
    }
    GeneratorOptions options = GeneratorOptions.of(properties, place, own);
    Consumer<SequenceGeneratorBuilder> applied =
        applied(options, pattern, OutageLog.ofTemplate(pattern));
    PropertyRefusal.naming(
        place + ".pattern", pattern, () -> builder.template(template(pattern), applied));
    options.check(
        () -> SequenceGenerators.builder(store).template(template(pattern), applied).build());
  }

  /** The name of the template of a pattern {@code NAME/{KEY}}. */
  private static String template(String pattern) {
    int key = pattern.lastIndexOf("/{");
    if (key < 0 || !pattern.endsWith("}")) {
      throw new IllegalArgumentException(
          "the pattern must be a name followed by /{key}, was " + ShownText.quote(pattern));
    }
    return pattern.substring(0, key);
  }

  /**
   * The options of a sequence, or of all sequences of a template.
   *
   * @param name the name of the sequence, or the pattern of the template; it is the tag of their
   *     meters
   */
  private Consumer<SequenceGeneratorBuilder> applied(
      GeneratorOptions options, String name, OutageLog log) {
    SequenceMetricsRecorder meters = recorders.of(name);
    return builder -> {
      options.applyTo(builder);
      builder.metrics(log, meters);
      customizers.forEach(customizer -> customizer.customize(name, builder));
    };
  }
}
