package io.millrace.spring.boot;

import static io.millrace.spring.boot.ConfiguredNames.SEQUENCES;
import static io.millrace.spring.boot.ConfiguredNames.TEMPLATES;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.internal.Defaults;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.boot.MillraceProperties.Generator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  /** Tries the options on their own: an exception names the property that has to change. */
  private Consumer<SequenceGeneratorBuilder> checked(
      String map, String name, Generator options, OutageLog log) {
    Consumer<SequenceGeneratorBuilder> setting = builder -> set(name, options, log, builder);
    try {
      SequenceGenerators.builder(store).sequence(name, setting).build();
    } catch (IllegalArgumentException refused) {
      throw StartFailedException.ofProperty(
          property(ConfiguredNames.place(map, name), refused), refused.getMessage());
    }
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

  /** The property of a rejected option, at the sequence or in the defaults; else the sequence. */
  private String property(String place, IllegalArgumentException refused) {
    return refused instanceof InvalidOptionException option
        ? Stream.of(property(option.option()), property(option.other()))
            .flatMap(each -> Stream.of(place + "." + each, "defaults." + each))
            .filter(names::isSet)
            .findFirst()
            .orElse(place)
        : place;
  }

  /** The property of an option: {@code low-watermark} of {@code lowWatermark}. */
  private static String property(@Nullable String option) {
    return "createMissing".equals(option)
        ? "start-value"
        : String.valueOf(option)
            .replaceAll("([A-Z])", "-$1")
            .toLowerCase(Locale.ROOT)
            .replace(' ', '.');
  }
}
