package io.millrace.spring.boot;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.internal.Defaults;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.spring.boot.MillraceProperties.Generator;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;

/** Generators as the properties and the customizers describe them. */
record ConfiguredGenerators(
    MillraceProperties properties,
    ConfiguredNames names,
    List<SequenceGeneratorBuilderCustomizer> customizers) {

  SequenceGenerators over(SequenceStore store) {
    SequenceGenerators.Builder builder = SequenceGenerators.builder(store);
    for (String name : names.sequences()) {
      Consumer<SequenceGeneratorBuilder> options =
          options(name, properties.sequence(name), OutageLog.ofSequence(name));
      add("sequences", name, store, builder, (to, key) -> to.sequence(key, options));
    }
    for (String name : names.templates()) {
      Consumer<SequenceGeneratorBuilder> options =
          options(name, properties.template(name), OutageLog.ofTemplate(name));
      add("templates", name, store, builder, (to, key) -> to.template(key, options));
    }
    return builder.build();
  }

  /** Sets the options of a sequence, or of all sequences of a template. */
  private Consumer<SequenceGeneratorBuilder> options(
      String name, Generator options, OutageLog log) {
    return builder -> {
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
    };
  }

  /** Adds generators after a trial, so that a refusal names the property that has to change. */
  private void add(
      String map,
      String name,
      SequenceStore store,
      SequenceGenerators.Builder builder,
      BiConsumer<SequenceGenerators.Builder, String> adding) {
    String place = PropertyRefusal.place(map, name);
    try {
      SequenceGenerators.Builder trial = SequenceGenerators.builder(store);
      adding.accept(trial, name);
      trial.build();
      adding.accept(builder, name);
    } catch (IllegalArgumentException refused) {
      throw PropertyRefusal.of(
          property(place, refused), null, String.valueOf(refused.getMessage()));
    }
  }

  /** The property of a refused option, at the sequence or in the defaults; else the sequence. */
  private String property(String place, IllegalArgumentException refused) {
    Throwable cause = refused.getCause() == null ? refused : refused.getCause();
    if (cause instanceof InvalidOptionException option) {
      for (String each : Arrays.asList(option.option(), option.other())) {
        for (String layer : List.of(place, "defaults")) {
          String property = layer + "." + property(each);
          if (each != null && names.isSet(property)) {
            return property;
          }
        }
      }
    }
    return place;
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
