package io.millrace.spring;

import java.util.List;
import org.springframework.data.domain.Persistable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The properties of one type of entity that sequences fill. */
record NumberedEntity(RelationalPersistentEntity<?> type, List<NumberedProperty> properties) {

  /**
   * Asks once whether the entity is new, before the first property is set, because that may be the
   * id.
   */
  Mono<Object> fill(Object entity) {
    if (properties.isEmpty()) {
      return Mono.just(entity);
    }
    return Mono.defer(() -> isNew(entity) ? fillNew(entity) : Mono.just(entity));
  }

  /**
   * Spring Data treats an entity as not new if a part of its composite id is set, even if another
   * part is unset. Here it is new, unless it has a version or is {@link Persistable}.
   */
  private boolean isNew(Object entity) {
    if (type.isNew(entity)) {
      return true;
    }
    if (type.hasVersionProperty() || entity instanceof Persistable) {
      return false;
    }
    PersistentPropertyAccessor<Object> accessor = type.getPropertyAccessor(entity);
    return properties.stream()
        .anyMatch(property -> property.isPartOfId() && property.isUnset(accessor));
  }

  /** Sets nothing before all values are there: an entity with only its id set would not be new. */
  private Mono<Object> fillNew(Object entity) {
    PersistentPropertyAccessor<Object> accessor = type.getPropertyAccessor(entity);
    return Flux.fromIterable(properties)
        .filter(property -> property.isUnset(accessor))
        .concatMap(property -> property.take(accessor))
        .collectList()
        .map(
            values -> {
              values.forEach(Runnable::run);
              return accessor.getBean();
            });
  }
}
