package io.millrace.test.emulator;

import com.google.cloud.spanner.DatabaseClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link SpannerTest} does. The database lives as long as its test class runs. */
final class SpannerExtension implements ExecutionCondition, ParameterResolver, TestWatcher {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SpannerExtension.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<SpannerTest> wanted = annotation(context);
    if (wanted.isEmpty() || emulator(wanted.get()).isPresent()) {
      return ConditionEvaluationResult.enabled("there is a Spanner emulator");
    }
    if (wanted.get().faults() && SpannerEmulator.find().isPresent()) {
      return skipped(
          context,
          "faults need a Spanner emulator that this JVM can start, found only "
              + SpannerEmulator.find().get());
    }
    String reason = "no Spanner emulator: " + SpannerEmulator.HOW_TO_GET;
    if (Boolean.getBoolean("spanner.required")) {
      throw new IllegalStateException(reason + " (spanner.required is true)");
    }
    return skipped(context, reason);
  }

  /** Prints the reason once a class: Maven counts skipped tests but does not show why. */
  private static ConditionEvaluationResult skipped(ExtensionContext context, String reason) {
    if (context.getTestMethod().isEmpty()) {
      System.out.println("Skipped: " + context.getDisplayName() + ": " + reason);
    }
    return ConditionEvaluationResult.disabled(reason);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == EmulatorDatabase.class || type == DatabaseClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    EmulatorDatabase database = database(context);
    return parameter.getParameter().getType() == DatabaseClient.class
        ? database.client()
        : database;
  }

  @Override
  public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
    annotation(context)
        .flatMap(SpannerExtension::emulator)
        .flatMap(SpannerEmulator::keepLog)
        .ifPresent(log -> context.publishReportEntry("log of the Spanner emulator", "" + log));
  }

  private static Optional<SpannerTest> annotation(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), SpannerTest.class)
        .or(
            () ->
                context.getEnclosingTestClasses().stream()
                    .flatMap(
                        type -> AnnotationSupport.findAnnotation(type, SpannerTest.class).stream())
                    .findFirst());
  }

  private static Optional<SpannerEmulator> emulator(SpannerTest wanted) {
    return wanted.faults() ? SpannerEmulator.findWithFaults() : SpannerEmulator.find();
  }

  /** The database of the outermost test class, created when it is first asked for. */
  private static EmulatorDatabase database(ExtensionContext context) {
    ExtensionContext outermost = context;
    while (outermost.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
      outermost = outermost.getParent().orElseThrow();
    }
    return outermost
        .getStore(NAMESPACE)
        .computeIfAbsent(EmulatorDatabase.class, type -> create(context), EmulatorDatabase.class);
  }

  private static EmulatorDatabase create(ExtensionContext context) {
    SpannerTest wanted = annotation(context).orElseThrow();
    return emulator(wanted).orElseThrow().createDatabase(wanted.dialect(), wanted.ddl());
  }
}
