package io.millrace.spring.boot;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code millrace.store} chooses the store of {@link ConditionalOnStore}. */
final class OnStoreCondition extends SpringBootCondition {

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Map<String, @Nullable Object> annotation =
        Objects.requireNonNull(
            metadata.getAnnotationAttributes(ConditionalOnStore.class.getName()));
    StoreChoice chosen =
        Binder.get(context.getEnvironment())
            .bind(MillraceProperties.PREFIX + ".store", StoreChoice.class)
            .orElse(StoreChoice.AUTO);
    ConditionMessage message =
        ConditionMessage.forCondition("millrace.store").because("it is " + chosen);
    StoreChoice configured =
        Objects.requireNonNull((StoreChoice) annotation.get("value"), "a store");
    return new ConditionOutcome(configured.isChosenBy(chosen), message);
  }
}
