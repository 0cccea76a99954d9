package io.millrace.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a property names the store, a sequence or a family of sequences. */
final class OnSequencesWanted extends SpringBootCondition {

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    boolean wanted = isWanted(context.getEnvironment());
    return new ConditionOutcome(
        wanted,
        ConditionMessage.forCondition("millrace.*")
            .because(wanted ? "sequences are configured" : "no sequence is configured"));
  }

  static boolean isWanted(Environment environment) {
    Binder binder = Binder.get(environment);
    return names(binder, "store", Bindable.of(String.class))
        || names(binder, "sequences", Bindable.mapOf(String.class, Object.class))
        || names(binder, "templates", Bindable.mapOf(String.class, Object.class))
        || names(binder, "gapless", Bindable.mapOf(String.class, Object.class));
  }

  private static boolean names(Binder binder, String property, Bindable<?> type) {
    return binder.bind(MillraceProperties.PREFIX + "." + property, type).isBound();
  }
}
