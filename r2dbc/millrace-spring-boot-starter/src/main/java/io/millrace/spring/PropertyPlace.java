package io.millrace.spring;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.Parameter;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.model.EntityInstantiators;
import org.springframework.data.mapping.model.ParameterValueProvider;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.util.ReflectionUtils;

/**
 * Where a property is in an entity: in itself, or in embedded objects, of which one may be a
 * composite id.
 *
 * @param annotation the annotation at the property, for refusals
 * @param embedding leads from the entity to the object that has the property; empty if that is the
 *     entity
 */
record PropertyPlace(
    String annotation, List<Step> embedding, RelationalPersistentProperty property) {

  private static final EntityInstantiators INSTANTIATORS = new EntityInstantiators();

  /** An embedded object. */
  record Step(RelationalPersistentProperty property, RelationalPersistentEntity<?> type) {

    Object newObject() {
      return INSTANTIATORS.getInstantiatorFor(type).createInstance(type, new NoValues());
    }
  }

  /** Values for the constructor of an object that has none. */
  private static final class NoValues
      implements ParameterValueProvider<RelationalPersistentProperty> {

    @Override
    @SuppressWarnings("unchecked") // the default of a primitive type is boxed
    public <T> @Nullable T getParameterValue(Parameter<T, RelationalPersistentProperty> parameter) {
      Class<T> type = parameter.getRawType();
      return type.isPrimitive() ? (T) ReflectionUtils.getPrimitiveDefault(type) : null;
    }
  }

  boolean isEmbedded() {
    return !embedding.isEmpty();
  }

  /** Whether it is the id, or a part of it. */
  boolean isOfId() {
    return (isEmbedded() ? embedding.get(0).property() : property).isIdProperty();
  }

  /** False if an object around it is null. That of an id may be: it is made. */
  boolean exists(PersistentPropertyAccessor<?> entity) {
    return isOfId() || holder(entity, 0) != null;
  }

  @Nullable Object get(PersistentPropertyAccessor<?> entity) {
    PersistentPropertyAccessor<?> holder = holder(entity, 0);
    return holder == null ? null : holder.getProperty(property);
  }

  /** Gives access to the object that has the property; null if there is none. */
  private @Nullable PersistentPropertyAccessor<?> holder(
      PersistentPropertyAccessor<?> outer, int depth) {
    if (depth == embedding.size()) {
      return outer;
    }
    Step step = embedding.get(depth);
    Object inner = outer.getProperty(step.property());
    return inner == null ? null : holder(step.type().getPropertyAccessor(inner), depth + 1);
  }

  /** Sets the property. Immutable objects around it are copied. */
  void set(PersistentPropertyAccessor<?> entity, Object value) {
    set(entity, 0, value);
  }

  private void set(PersistentPropertyAccessor<?> outer, int depth, Object value) {
    if (depth == embedding.size()) {
      outer.setProperty(property, value);
      return;
    }
    Step step = embedding.get(depth);
    Object inner =
        Objects.requireNonNullElseGet(outer.getProperty(step.property()), step::newObject);
    PersistentPropertyAccessor<Object> accessor = step.type().getPropertyAccessor(inner);
    set(accessor, depth + 1, value);
    outer.setProperty(step.property(), accessor.getBean());
  }

  SequenceValueException refusal(String problem, @Nullable Throwable cause) {
    return new SequenceValueException(
        annotation, property.getOwner().getType(), property.getName(), problem, cause);
  }
}
