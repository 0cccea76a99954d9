package io.millrace.spring.boot;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.internal.Defaults;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of one generator in layers. Each layer supplies the values that the layers before it
 * do not set, and the builder's defaults apply to the rest.
 */
record GeneratorOptions(List<Layer> layers) {

  /** The value that a sequence starts with when it is created. */
  static final long START_VALUE = 1;

  /** Properties, and where they are. */
  record Layer(String place, GeneratorProperties properties) {}

  static GeneratorOptions of(MillraceProperties all, String place, GeneratorProperties own) {
    return new GeneratorOptions(
        List.of(new Layer(place, own), new Layer("defaults", all.defaults())));
  }

  /**
   * Checks the options.
   *
   * @param trial applies them to a builder, which checks them
   * @throws InvalidConfigurationPropertyValueException if one is refused, by itself or in
   *     combination with others; it names the property that has to change, in the first layer that
   *     sets it
   */
  void check(Runnable trial) {
    try {
      trial.run();
    } catch (IllegalArgumentException refused) {
      throw refused.getCause() instanceof InvalidOptionException option
          ? refusal(option)
          : setByCustomizer(refused);
    }
  }

  private InvalidConfigurationPropertyValueException refusal(InvalidOptionException refused) {
    for (String name : Arrays.asList(refused.option(), refused.other())) {
      GeneratorOption option = GeneratorOption.of(name);
      if (option == null) {
        continue;
      }
      for (Layer layer : layers) {
        Object value = option.valueIn(layer.properties());
        if (value != null) {
          return PropertyRefusal.of(
              layer.place() + "." + option.property(), value, refused.getMessage(), refused);
        }
      }
    }
    return setByCustomizer(refused);
  }

  private InvalidConfigurationPropertyValueException setByCustomizer(
      IllegalArgumentException refused) {
    return PropertyRefusal.of(layers.get(0).place(), null, refused.getMessage(), refused);
  }

  void applyTo(SequenceGeneratorBuilder builder) {
    applySizesTo(builder);
    set(GeneratorProperties::getMaxWaiters, builder::maxWaiters);
    set(GeneratorProperties::getMaxValue, builder::maxValue);
    set(GeneratorProperties::getAcquireTimeout, builder::acquireTimeout);
    set(GeneratorProperties::getReservationTimeout, builder::reservationTimeout);
    applyBackoffTo(builder);
    if (Boolean.TRUE.equals(get(GeneratorProperties::getCreate, false))) {
      builder.createMissing(get(GeneratorProperties::getStartValue, START_VALUE));
    }
  }

  /**
   * Uses the first layer that sets either fixed or adaptive sizes. If none does, nothing is set on
   * the builder, and a customizer may choose.
   */
  private void applySizesTo(SequenceGeneratorBuilder builder) {
    for (Layer layer : layers) {
      Duration target = layer.properties().getAdaptive().target();
      if (target != null && !target.isZero()) {
        adapt(builder, target);
        new GeneratorOptions(List.of(layer)).applyFixedSizesTo(builder); // the builder refuses them
        return;
      }
      if (target != null || layer.properties().hasFixedSizes()) {
        refuseBoundsWithoutTarget(layers.get(0));
        builder.lowWatermark(0); // alone it makes the sizes fixed
        applyFixedSizesTo(builder);
        return;
      }
    }
    if (layers.stream().anyMatch(each -> each.properties().getAdaptive().hasBound())) {
      adapt(builder, Defaults.ADAPTIVE_TARGET);
    }
  }

  /**
   * Bounds in the defaults apply to sequences with adaptive sizes. If there is no such sequence,
   * they are refused.
   */
  static void checkDefaults(MillraceProperties all) {
    boolean adaptsSomewhere =
        !all.defaults().hasFixedSizes()
            || Stream.<Stream<? extends GeneratorProperties>>of(
                    Stream.of(all.defaults()),
                    all.sequences().values().stream(),
                    all.templates().values().stream())
                .flatMap(each -> each)
                .anyMatch(GeneratorProperties::hasTarget);
    if (!adaptsSomewhere) {
      refuseBoundsWithoutTarget(new Layer("defaults", all.defaults()));
    }
  }

  /**
   * Refuses bounds of adaptive sizes where fixed sizes are set, because they have no effect. A
   * target of 0 next to them allows them.
   */
  private static void refuseBoundsWithoutTarget(Layer layer) {
    AdaptiveProperties adaptive = layer.properties().getAdaptive();
    if (adaptive.target() == null) {
      refuseBound(layer.place(), "min", adaptive.min());
      refuseBound(layer.place(), "max", adaptive.max());
    }
  }

  private static void refuseBound(String place, String bound, @Nullable Long value) {
    if (value != null) {
      throw PropertyRefusal.of(
          place + ".adaptive." + bound,
          value,
          ("it limits adaptive sizes, and the sizes are fixed: set %s.%s.adaptive.target and none of"
                  + " block-size, max-block-size and low-watermark there, or remove adaptive.%s")
              .formatted(MillraceProperties.PREFIX, place, bound));
    }
  }

  private void adapt(SequenceGeneratorBuilder builder, Duration target) {
    long min = get(each -> each.getAdaptive().min(), Defaults.ADAPTIVE_MIN);
    long max = get(each -> each.getAdaptive().max(), Defaults.ADAPTIVE_MAX);
    builder.adaptive(min, max, target);
  }

  private void applyFixedSizesTo(SequenceGeneratorBuilder builder) {
    set(GeneratorProperties::getBlockSize, builder::blockSize);
    set(GeneratorProperties::getMaxBlockSize, builder::maxBlockSize);
    set(GeneratorProperties::getLowWatermark, builder::lowWatermark);
  }

  private void applyBackoffTo(SequenceGeneratorBuilder builder) {
    Duration min = get(each -> each.getBackoff().min(), Defaults.BACKOFF_MIN);
    Duration max = get(each -> each.getBackoff().max(), Defaults.BACKOFF_MAX);
    double jitter = get(each -> each.getBackoff().jitter(), Defaults.BACKOFF_JITTER);
    int attempts = get(each -> each.getBackoff().attempts(), Defaults.BACKOFF_ATTEMPTS);
    builder.backoff(min, max, jitter, attempts);
  }

  private <T> void set(Function<GeneratorProperties, @Nullable T> property, Consumer<T> setter) {
    for (Layer layer : layers) {
      T value = property.apply(layer.properties());
      if (value != null) {
        setter.accept(value);
        return;
      }
    }
  }

  private <T> T get(Function<GeneratorProperties, @Nullable T> property, T otherwise) {
    for (Layer layer : layers) {
      T value = property.apply(layer.properties());
      if (value != null) {
        return value;
      }
    }
    return otherwise;
  }
}
