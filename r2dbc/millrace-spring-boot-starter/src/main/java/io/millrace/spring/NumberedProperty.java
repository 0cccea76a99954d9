package io.millrace.spring;

import io.millrace.Sequence;
import io.millrace.key.KeyFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import reactor.core.publisher.Mono;

/** One property that a sequence fills. */
final class NumberedProperty {

  private final RelationalPersistentProperty property;
  private final String sequence;
  private final Function<String, ? extends @Nullable Sequence> sequences;
  private final KeyFunction<Long, Long> key;

  NumberedProperty(
      RelationalPersistentProperty property,
      String sequence,
      Function<String, ? extends @Nullable Sequence> sequences,
      KeyFunction<Long, Long> key) {
    this.property = property;
    this.sequence = sequence;
    this.sequences = sequences;
    this.key = key;
  }

  boolean isUnset(PersistentPropertyAccessor<?> entity) {
    Object value = entity.getProperty(property);
    return value == null || value.equals(0L);
  }

  /** Takes a value at subscription, and emits a function that sets the property. */
  Mono<Runnable> take(PersistentPropertyAccessor<?> entity) {
    return sequence()
        .next()
        .map(this::value)
        .map(value -> () -> entity.setProperty(property, value));
  }

  /** Looked up at each use, because the owner of the sequences may have replaced an idle one. */
  Sequence sequence() {
    Sequence found;
    try {
      found = sequences.apply(sequence);
    } catch (RuntimeException e) {
      throw new SequenceValueException(
          type(),
          property.getName(),
          "there is no sequence \"" + sequence + "\": " + e.getMessage(),
          e);
    }
    if (found == null) {
      throw new SequenceValueException(
          type(), property.getName(), "there is no sequence \"" + sequence + "\"");
    }
    return found;
  }

  private Long value(Long number) {
    Long value = key.apply(number);
    if (value == null || (value == 0 && property.isIdProperty())) {
      throw new SequenceValueException(
          type(),
          property.getName(),
          "sequence \""
              + sequence
              + "\" and key gave "
              + value
              + " for "
              + number
              + ", which Spring Data does not accept as an id: start the sequence at 1");
    }
    return value;
  }

  private Class<?> type() {
    return property.getOwner().getType();
  }
}
