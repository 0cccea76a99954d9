package io.millrace.spring;

import io.millrace.Sequence;
import io.millrace.internal.NumberFormat;
import io.millrace.key.BitReversal;
import io.millrace.key.KeyFunction;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * One property that a sequence fills.
 *
 * @param sequence the name of its sequence
 * @param sequences finds a sequence by its name
 * @param key makes the number of the property from that of the sequence
 * @param format how the number is written; null if the property is a number
 */
record NumberedProperty(
    RelationalPersistentProperty property,
    String sequence,
    Function<String, ? extends @Nullable Sequence> sequences,
    KeyFunction<Long, Long> key,
    @Nullable NumberFormat format) {

  NumberedProperty {
    if (!property.isReadable() && !property.getOwner().isCreatorArgument(property)) {
      throw refusal(
          property,
          "the property cannot be set: it has no setter, no with… method, and no parameter in the"
              + " constructor that Spring Data uses");
    }
    Class<?> type = type(property);
    if (format == null && type != Long.class && type != Integer.class) {
      throw refusal(
          property,
          "the property's type must be Long, long, Integer, int or String, and is "
              + type.getName());
    }
    if (type == Integer.class && key == BitReversal.PRESERVING_SIGN) {
      throw refusal(property, "an Integer cannot hold reversed bits: use Long");
    }
  }

  /** The type of a property, not primitive. */
  static Class<?> type(RelationalPersistentProperty property) {
    return ClassUtils.resolvePrimitiveIfNecessary(property.getType());
  }

  /** Whether Spring Data has no value here. */
  boolean isUnset(PersistentPropertyAccessor<?> entity) {
    Object value = entity.getProperty(property);
    return value == null
        || value.equals("")
        || (value instanceof Number number && number.longValue() == 0);
  }

  /** Takes a value at subscription, and emits a function that sets the property. */
  Mono<Runnable> take(PersistentPropertyAccessor<?> entity) {
    return find().next().map(this::value).map(value -> () -> entity.setProperty(property, value));
  }

  /** Finds the sequence, which may be defined after the property was read. */
  Sequence find() {
    try {
      return Objects.requireNonNull(sequences.apply(sequence), "none has that name");
    } catch (RuntimeException e) {
      throw refusal(property, "there is no sequence \"" + sequence + "\": " + e.getMessage(), e);
    }
  }

  private Object value(Long number) {
    Long value = key.apply(number);
    String given = "sequence \"" + sequence + "\" and key produced " + value + " for " + number;
    if (value == null || (value == 0 && format == null && property.isIdProperty())) {
      throw refusal(
          property,
          given + ", which Spring Data does not accept as an id: start the sequence at 1");
    }
    if (format != null) {
      return format.format(value);
    }
    if (type(property) == Long.class) {
      return value;
    }
    if (value != value.intValue()) {
      throw refusal(
          property,
          given
              + ", and an Integer holds at most 2147483647: use Long, or set max-value: 2147483647"
              + " for the sequence");
    }
    return value.intValue();
  }

  static SequenceValueException refusal(RelationalPersistentProperty property, String problem) {
    return refusal(property, problem, null);
  }

  static SequenceValueException refusal(
      RelationalPersistentProperty property, String problem, @Nullable Throwable cause) {
    return new SequenceValueException(
        property.getOwner().getType(), property.getName(), problem, cause);
  }
}
