package io.millrace.spring;

import io.millrace.InvalidOptionException;
import io.millrace.Sequence;
import io.millrace.internal.NumberFormat;
import io.millrace.key.BitReversal;
import io.millrace.key.KeyFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.data.mapping.InstanceCreatorMetadata;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.data.util.ProxyUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sets the properties marked with {@link SequenceValue} before an entity is converted to a row. A
 * bean of this type is all that repositories ({@code save}, {@code saveAll}) and {@code
 * R2dbcEntityTemplate} need.
 *
 * <p>One value is taken for each property that needs one, when the entity is saved. Saving 10,000
 * new entities with {@code saveAll} costs ten reservations with {@code blockSize(1_000)} and no
 * watermark. No value is taken for an entity that is not saved. Entities that are saved one after
 * another, as by {@code saveAll}, receive rising values. A mutable entity keeps its value even if
 * the insert then fails; see {@link #onBeforeConvert}.
 *
 * <p>Inside a transaction, the sequence must use separate connections: if transactions hold all
 * connections of a pool, the pool cannot serve the reservation that they wait for.
 *
 * <p>The callback runs after Spring Data's auditing, which checks whether the entity is new, and
 * before callbacks without an order.
 */
public final class SequenceValueCallback
    implements BeforeConvertCallback<Object>, SmartInitializingSingleton, Ordered {

  /** The order among callbacks: after auditing, whose order is 100. */
  public static final int ORDER = 200;

  private final RelationalMappingContext entities;
  private final Function<String, ? extends @Nullable Sequence> sequences;
  private final Function<String, ? extends @Nullable KeyFunction<Long, Long>> keys;
  private final ConcurrentMap<Class<?>, List<NumberedProperty>> numbered =
      new ConcurrentHashMap<>();

  /**
   * Creates the callback.
   *
   * @param entities Spring Data's metadata of the entities, the {@code R2dbcMappingContext}
   * @param sequences finds a sequence by name; returns null or throws if there is none. Called at
   *     each use, on the thread that saves
   * @param keys finds a key function by name, except those that {@link SequenceValue} defines;
   *     returns null if there is none
   */
  public SequenceValueCallback(
      RelationalMappingContext entities,
      Function<String, ? extends @Nullable Sequence> sequences,
      Function<String, ? extends @Nullable KeyFunction<Long, Long>> keys) {
    this.entities = Objects.requireNonNull(entities, "entities");
    this.sequences = Objects.requireNonNull(sequences, "sequences");
    this.keys = Objects.requireNonNull(keys, "keys");
  }

  /**
   * Sets the marked properties of a new entity. Nothing happens before subscription. A mutable
   * entity is modified, and Spring Data no longer considers it new. If the insert then fails, retry
   * it with {@code R2dbcEntityTemplate.insert}, because {@code save} would update a row that does
   * not exist. An immutable entity is copied, and a repeated {@code save} takes another value.
   *
   * <p>The entity is delivered on the thread of {@link Sequence#next()}. Cancelling withdraws the
   * request for a value; values already taken become gaps.
   *
   * @param entity the entity to save
   * @return the entity or its copy, with the numbers set; the same entity if there is nothing to
   *     set. Errors: {@link SequenceValueException} if the property cannot be set as declared;
   *     those of {@link Sequence#next()}
   */
  @Override
  public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
    Class<?> type = ProxyUtils.getUserClass(entity);
    List<NumberedProperty> properties = numbered(type);
    if (properties.isEmpty()) {
      return Mono.just(entity);
    }
    RelationalPersistentEntity<?> known = entities.getRequiredPersistentEntity(type);
    // Asked once, before the first property is set, because that may be the id.
    return Mono.defer(
        () ->
            known.isNew(entity)
                ? fill(known.getPropertyAccessor(entity), properties)
                : Mono.just(entity));
  }

  /** Sets nothing before all values are there: an entity with only its id set would not be new. */
  private static Mono<Object> fill(
      PersistentPropertyAccessor<Object> entity, List<NumberedProperty> properties) {
    return Flux.fromIterable(properties)
        .filter(property -> property.isUnset(entity))
        .concatMap(property -> property.take(entity))
        .collectList()
        .map(
            values -> {
              values.forEach(Runnable::run);
              return entity.getBean();
            });
  }

  /**
   * Validates the annotations of all entities known on startup, and that their sequences are
   * defined, without accessing the database.
   *
   * @throws SequenceValueException if an annotation is invalid
   */
  @Override
  public void afterSingletonsInstantiated() {
    for (RelationalPersistentEntity<?> entity : entities.getPersistentEntities()) {
      numbered(entity.getType()).forEach(NumberedProperty::find);
    }
  }

  /**
   * Returns the order among entity callbacks.
   *
   * @return {@value #ORDER}
   */
  @Override
  public int getOrder() {
    return ORDER;
  }

  private List<NumberedProperty> numbered(Class<?> type) {
    return numbered.computeIfAbsent(type, this::read);
  }

  private List<NumberedProperty> read(Class<?> type) {
    RelationalPersistentEntity<?> entity = entities.getRequiredPersistentEntity(type);
    List<NumberedProperty> found = new ArrayList<>();
    for (RelationalPersistentProperty property : entity) {
      if (property.isEmbedded()) {
        refuseWithin(entities.getRequiredPersistentEntity(property));
      }
      SequenceValue annotation = annotation(entity, property);
      if (annotation != null) {
        found.add(
            new NumberedProperty(
                property,
                annotation.value(),
                sequences,
                key(property, annotation.key()),
                format(property, annotation.format())));
      }
    }
    return List.copyOf(found);
  }

  private static void refuseWithin(RelationalPersistentEntity<?> embedded) {
    for (RelationalPersistentProperty property : embedded) {
      if (annotation(embedded, property) != null) {
        throw NumberedProperty.refusal(
            property, "a number within an embedded object is not set: move it to the entity");
      }
    }
  }

  private static @Nullable NumberFormat format(
      RelationalPersistentProperty property, String format) {
    Class<?> type = NumberedProperty.type(property);
    if (type != String.class) {
      if (!format.isEmpty()) {
        throw NumberedProperty.refusal(
            property, "a format requires a String, and the type is " + type.getName());
      }
      return null;
    }
    try {
      return NumberFormat.of(format.isEmpty() ? "{n}" : format).withoutDate();
    } catch (InvalidOptionException refused) {
      throw NumberedProperty.refusal(property, String.valueOf(refused.getMessage()), refused);
    }
  }

  private KeyFunction<Long, Long> key(RelationalPersistentProperty property, String name) {
    if (name.equals(SequenceValue.AS_IS)) {
      return value -> value;
    }
    if (name.equals(SequenceValue.BIT_REVERSED)) {
      return BitReversal.PRESERVING_SIGN;
    }
    KeyFunction<Long, Long> key = keys.apply(name);
    if (key == null) {
      throw NumberedProperty.refusal(
          property,
          "there is no key \"%s\": it is neither \"%s\" nor the name of a KeyFunction bean"
              .formatted(name, SequenceValue.BIT_REVERSED));
    }
    return key;
  }

  private static @Nullable SequenceValue annotation(
      RelationalPersistentEntity<?> entity, RelationalPersistentProperty property) {
    SequenceValue found = property.findAnnotation(SequenceValue.class);
    return found != null ? found : ofCreator(entity, property);
  }

  private static @Nullable SequenceValue ofCreator(
      RelationalPersistentEntity<?> entity, RelationalPersistentProperty property) {
    InstanceCreatorMetadata<?> creator = entity.getInstanceCreatorMetadata();
    if (creator == null) {
      return null;
    }
    for (Parameter<?, ?> parameter : creator.getParameters()) {
      if (property.getName().equals(parameter.getName())) {
        return parameter
            .getAnnotations()
            .get(SequenceValue.class)
            .synthesize(MergedAnnotation::isPresent)
            .orElse(null);
      }
    }
    return null;
  }
}
