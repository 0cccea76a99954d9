package io.millrace.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code millrace.gapless} names a sequence. */
final class OnGaplessSequences extends SpringBootCondition {

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    int sequences = SequenceNames.of(context.getEnvironment(), "gapless").size();
    return new ConditionOutcome(
        sequences > 0,
        ConditionMessage.forCondition("millrace.gapless").foundExactly(sequences + " sequences"));
  }
}
