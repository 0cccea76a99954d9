package io.millrace.spring;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An option as the builder's messages call it, and as its property is spelled. */
enum GeneratorOption {
  BATCH_SIZE("batchSize", "batch-size", GeneratorProperties::getBatchSize),
  MAX_BATCH_SIZE("maxBatchSize", "max-batch-size", GeneratorProperties::getMaxBatchSize),
  LOW_WATERMARK("lowWatermark", "low-watermark", GeneratorProperties::getLowWatermark),
  ADAPTIVE_MIN("adaptive minBatchSize", "adaptive.min", each -> each.getAdaptive().getMin()),
  ADAPTIVE_MAX("adaptive maxBatchSize", "adaptive.max", each -> each.getAdaptive().getMax()),
  ADAPTIVE_TARGET("adaptive target", "adaptive.target", each -> each.getAdaptive().getTarget()),
  MAX_WAITERS("maxWaiters", "max-waiters", GeneratorProperties::getMaxWaiters),
  MAX_VALUE("maxValue", "max-value", GeneratorProperties::getMaxValue),
  CAPACITY_SHARE(
      "capacityAlarm share", "capacity-alarm.share", each -> each.getCapacityAlarm().getShare()),
  CAPACITY_VALUES(
      "capacityAlarm values", "capacity-alarm.values", each -> each.getCapacityAlarm().getValues()),
  CAPACITY_TIME(
      "capacityAlarm time", "capacity-alarm.time", each -> each.getCapacityAlarm().getTime()),
  START_VALUE("createMissing", "start-value", GeneratorProperties::getStartValue),
  ACQUIRE_TIMEOUT("acquireTimeout", "acquire-timeout", GeneratorProperties::getAcquireTimeout),
  RESERVATION_TIMEOUT(
      "reservationTimeout", "reservation-timeout", GeneratorProperties::getReservationTimeout),
  BACKOFF_MIN("backoff min", "backoff.min", each -> each.getBackoff().getMin()),
  BACKOFF_MAX("backoff max", "backoff.max", each -> each.getBackoff().getMax()),
  BACKOFF_JITTER("backoff jitter", "backoff.jitter", each -> each.getBackoff().getJitter()),
  BACKOFF_ATTEMPTS("backoff attempts", "backoff.attempts", each -> each.getBackoff().getAttempts()),

  /**
   * The option that excludes fixed sizes. It comes last: if both are set, the report names the
   * fixed size as the one to remove.
   */
  ADAPTIVE("adaptive", "adaptive.target", each -> each.getAdaptive().getTarget());

  /** The longest words first, because some words begin with others. */
  private static final Pattern WORDS =
      Pattern.compile(
          Arrays.stream(values())
              .map(option -> option.word)
              .sorted(Comparator.comparing(String::length).reversed())
              .collect(Collectors.joining("|", "\\b(", ")\\b")));

  private final String word;
  private final String property;
  private final Function<GeneratorProperties, @Nullable Object> value;

  GeneratorOption(
      String word, String property, Function<GeneratorProperties, @Nullable Object> value) {
    this.word = word;
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

  /** The options that a message of the builder names. The first one is the one to report. */
  static List<GeneratorOption> namedIn(String message) {
    return WORDS
        .matcher(message)
        .results()
        .map(GeneratorOption::of)
        .sorted(Comparator.comparing(option -> option == ADAPTIVE))
        .toList();
  }

  /** A message of the builder, in the spelling of properties. */
  static String inPropertySpelling(String message) {
    return WORDS.matcher(message).replaceAll(found -> of(found).property);
  }

  private static GeneratorOption of(MatchResult found) {
    return Arrays.stream(values())
        .filter(option -> option.word.equals(found.group()))
        .findFirst()
        .orElseThrow();
  }
}
