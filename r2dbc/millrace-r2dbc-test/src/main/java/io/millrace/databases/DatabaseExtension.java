package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The extension behind {@link DatabaseTest}. A database lives as long as its annotated class runs.
 */
final class DatabaseExtension implements ExecutionCondition, ParameterResolver {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(DatabaseExtension.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<DatabaseTest> wanted = annotation(context);
    String absence = wanted.map(DatabaseTest::value).map(DatabaseKind::absence).orElse(null);
    if (absence == null) {
      return ConditionEvaluationResult.enabled("the database is there");
    }
    if (context.getTestMethod().isEmpty()) {
      System.out.println("Skipped: " + context.getDisplayName() + ": " + absence);
    }
    return ConditionEvaluationResult.disabled(absence);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == R2dbcDatabase.class || type == ConnectionFactory.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    R2dbcDatabase database = database(context);
    return parameter.getParameter().getType() == ConnectionFactory.class
        ? database.connections()
        : database;
  }

  private static Optional<DatabaseTest> annotation(ExtensionContext context) {
    return annotated(context)
        .flatMap(ExtensionContext::getTestClass)
        .flatMap(type -> AnnotationSupport.findAnnotation(type, DatabaseTest.class));
  }

  /** The context of the class that has the annotation: this class or one around it. */
  private static Optional<ExtensionContext> annotated(ExtensionContext context) {
    Optional<ExtensionContext> at = Optional.of(context);
    Optional<ExtensionContext> found = Optional.empty();
    while (at.isPresent()) {
      if (AnnotationSupport.isAnnotated(at.get().getTestClass(), DatabaseTest.class)) {
        found = at;
      } else if (found.isPresent()) {
        break;
      }
      at = at.get().getParent();
    }
    return found;
  }

  /** Stores the database with the annotated class, so nested classes share it. */
  private static R2dbcDatabase database(ExtensionContext context) {
    return annotated(context)
        .orElseThrow()
        .getStore(NAMESPACE)
        .computeIfAbsent(R2dbcDatabase.class, type -> create(context), R2dbcDatabase.class);
  }

  private static R2dbcDatabase create(ExtensionContext context) {
    DatabaseTest wanted = annotation(context).orElseThrow();
    return wanted.value().create(wanted.ddl());
  }
}
