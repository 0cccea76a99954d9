package io.millrace.spring.boot;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An option as the builder's refusals call it, and its property. */
enum GeneratorOption {
  BLOCK_SIZE("blockSize", "block-size", GeneratorProperties::getBlockSize),
  MAX_BLOCK_SIZE("maxBlockSize", "max-block-size", GeneratorProperties::getMaxBlockSize),
  LOW_WATERMARK("lowWatermark", "low-watermark", GeneratorProperties::getLowWatermark),
  ADAPTIVE_MIN("adaptive minBlockSize", "adaptive.min", each -> each.getAdaptive().min()),
  ADAPTIVE_MAX("adaptive maxBlockSize", "adaptive.max", each -> each.getAdaptive().max()),
  ADAPTIVE_TARGET("adaptive target", "adaptive.target", each -> each.getAdaptive().target()),
  MAX_WAITERS("maxWaiters", "max-waiters", GeneratorProperties::getMaxWaiters),
  MAX_VALUE("maxValue", "max-value", GeneratorProperties::getMaxValue),
  START_VALUE("createMissing", "start-value", GeneratorProperties::getStartValue),
  ACQUIRE_TIMEOUT("acquireTimeout", "acquire-timeout", GeneratorProperties::getAcquireTimeout),
  RESERVATION_TIMEOUT(
      "reservationTimeout", "reservation-timeout", GeneratorProperties::getReservationTimeout),
  BACKOFF_MIN("backoff min", "backoff.min", each -> each.getBackoff().min()),
  BACKOFF_MAX("backoff max", "backoff.max", each -> each.getBackoff().max()),
  BACKOFF_JITTER("backoff jitter", "backoff.jitter", each -> each.getBackoff().jitter()),
  BACKOFF_ATTEMPTS("backoff attempts", "backoff.attempts", each -> each.getBackoff().attempts()),
  ADAPTIVE("adaptive", "adaptive.target", each -> each.getAdaptive().target());

  private final String name;
  private final String property;
  private final Function<GeneratorProperties, @Nullable Object> value;

  GeneratorOption(
      String name, String property, Function<GeneratorProperties, @Nullable Object> value) {
    this.name = name;
    this.property = property;
    this.value = value;
  }

  /** The property's name, relative to the name of a sequence. */
  String property() {
    return property;
  }

  /** The property's value, or null. */
  @Nullable Object valueIn(GeneratorProperties properties) {
    return value.apply(properties);
  }

  /** The option that the builder calls so; null if no property sets it. */
  static @Nullable GeneratorOption of(@Nullable String name) {
    for (GeneratorOption option : values()) {
      if (option.name.equals(name)) {
        return option;
      }
    }
    return null;
  }
}
