package io.millrace.spring.boot;

import static io.millrace.spring.boot.ConfiguredNames.SEQUENCES;
import static io.millrace.spring.boot.ConfiguredNames.TEMPLATES;

import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.internal.Defaults;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.boot.MillraceProperties.Generator;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.boot.context.properties.PropertyMapper;

/** Generators as the properties and the customizers describe them. */
record ConfiguredGenerators(
    SequenceStore store,
    MillraceProperties properties,
    ConfiguredNames names,
    List<SequenceGeneratorBuilderCustomizer> customizers) {

  SequenceGenerators build() {
    SequenceGenerators.Builder builder = SequenceGenerators.builder(store);
    for (String name : names.in(SEQUENCES)) {
      Generator options = properties.sequence(name);
      builder.sequence(name, checked(SEQUENCES, name, options, new OutageLog(null)));
    }
    for (String name : names.in(TEMPLATES)) {
      Generator options = properties.template(name);
      builder.template(name, checked(TEMPLATES, name, options, new OutageLog(name)));
    }
    return builder.build();
  }

  /** Tries the options of one name, so that an exception names the property to change. */
  private Consumer<SequenceGeneratorBuilder> checked(
      String map, String name, Generator options, OutageLog log) {
    Consumer<SequenceGeneratorBuilder> setting = builder -> set(name, options, log, builder);
    names.naming(
        ConfiguredNames.place(map, name),
        () -> SequenceGenerators.builder(store).sequence(name, setting).build());
    return setting;
  }

  private void set(
      String name, Generator options, OutageLog log, SequenceGeneratorBuilder builder) {
    PropertyMapper set = PropertyMapper.get();
    set.from(options::blockSize).to(builder::blockSize);
    set.from(options::lowWatermark).to(builder::lowWatermark);
    set.from(options.adaptive()::target)
        .to(target -> builder.adaptive(Defaults.ADAPTIVE_MIN, Defaults.ADAPTIVE_MAX, target));
    set.from(options::maxValue).to(builder::maxValue);
    set.from(options::acquireTimeout).to(builder::acquireTimeout);
    set.from(options::reservationTimeout).to(builder::reservationTimeout);
    if (options.creates()) {
      builder.createMissing(options.startOrDefault());
    }
    builder.metrics(log);
    customizers.forEach(each -> each.customize(name, builder));
  }
}
