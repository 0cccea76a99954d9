package io.millrace.r2dbc.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a property names the store, a sequence or a family of them. */
final class OnSequencesWanted extends SpringBootCondition {

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Binder binder = Binder.get(context.getEnvironment());
    boolean wanted =
        names(binder, "store", Bindable.of(String.class))
            || names(binder, "sequences", Bindable.mapOf(String.class, Object.class))
            || names(binder, "templates", Bindable.mapOf(String.class, Object.class));
    return new ConditionOutcome(
        wanted,
        ConditionMessage.forCondition("millrace.*")
            .because(wanted ? "sequences are asked for" : "no sequence is asked for"));
  }

  private static boolean names(Binder binder, String property, Bindable<?> type) {
    return binder.bind(MillraceProperties.PREFIX + "." + property, type).isBound();
  }
}
