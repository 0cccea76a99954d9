package io.millrace.spring;

import io.millrace.Sequence;
import io.millrace.key.KeyFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import reactor.core.publisher.Mono;

/**
 * One property that a sequence fills.
 *
 * @param place where it is in the entity
 * @param sequence the name of its sequence
 * @param sequences finds a sequence by its name
 * @param key makes the number of the property from that of the sequence
 * @param type makes the value of the property from its number
 */
record NumberedProperty(
    PropertyPlace place,
    String sequence,
    Function<String, ? extends @Nullable Sequence> sequences,
    KeyFunction<Long, Long> key,
    NumberedType type) {

  boolean isPartOfId() {
    return place.isEmbedded() && place.isOfId();
  }

  boolean isUnset(PersistentPropertyAccessor<?> entity) {
    return place.exists(entity) && type.isUnset(place.get(entity));
  }

  /** Takes a value at subscription, and emits a function that sets the property. */
  Mono<Runnable> take(PersistentPropertyAccessor<?> entity) {
    return find().next().map(this::value).map(value -> () -> place.set(entity, value));
  }

  /** Looked up at each use, because the owner of the sequences may have replaced an idle one. */
  Sequence find() {
    Sequence found;
    try {
      found = sequences.apply(sequence);
    } catch (RuntimeException e) {
      throw place.refusal("there is no sequence \"" + sequence + "\": " + e.getMessage(), e);
    }
    if (found == null) {
      throw place.refusal("there is no sequence \"" + sequence + "\"", null);
    }
    return found;
  }

  private Object value(Long number) {
    Long value = key.apply(number);
    String given = "sequence \"" + sequence + "\" and key produced " + value + " for " + number;
    if (value == null || (value == 0 && place.isOfId() && !type.isText())) {
      throw place.refusal(
          given + ", which Spring Data does not accept as an id: start the sequence at 1", null);
    }
    try {
      return type.of(value);
    } catch (ArithmeticException tooLarge) {
      throw place.refusal(given + ", and " + tooLarge.getMessage(), tooLarge);
    }
  }
}
