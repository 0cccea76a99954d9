package io.millrace.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches on Spring Boot 4 and later, which has the classes that the auto-configuration uses. On an
 * older version nothing is configured. If the application has {@code millrace.*} sequences, startup
 * fails with a message, not with missing beans.
 */
final class OnBoot4 extends SpringBootCondition {

  private final @Nullable String version;

  OnBoot4() {
    this(SpringBootVersion.getVersion());
  }

  OnBoot4(@Nullable String version) {
    this.version = version;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    boolean matches = version == null || !version.matches("[1-3]\\..*");
    if (!matches && ConfiguredNames.areConfigured(context.getEnvironment())) {
      throw new StartFailedException(
          "Boot 4 is needed: millrace.* properties configure sequences with Spring Boot 4 or later,"
              + " and this is Spring Boot "
              + version
              + ".",
          "Use Spring Boot 4; or remove the millrace.* properties, and define R2dbcSequenceStore and"
              + " SequenceGenerators beans yourself.");
    }
    return new ConditionOutcome(
        matches, ConditionMessage.forCondition("Spring Boot 4").because("this is " + version));
  }
}
