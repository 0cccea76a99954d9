package io.millrace.spring;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceTimeoutException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Reports a start that failed because the table or a row is missing, or the database does not
 * answer.
 */
final class SequencesNotReadyAnalyzer extends AbstractFailureAnalyzer<SequencesNotReadyException> {

  private static final String EITHER_WAY =
      " Or set millrace.startup.on-failure=warn, to start anyway: sequences are tried again"
          + " when they are used.";

  private final Environment environment;

  SequencesNotReadyAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SequencesNotReadyException failure) {
    SequenceNotFoundException missing = findCause(failure, SequenceNotFoundException.class);
    String description =
        "Sequences are not ready: "
            + failure.getMessage()
            + new EmulatorSessions(System.getenv()).advice(failure);
    if (missing != null) {
      return new FailureAnalysis(description, create(missing.sequence()), failure);
    }
    Throwable deepest = deepest(failure);
    String cause = deepest == failure ? "" : "%n%nCaused by: %s".formatted(deepest);
    return new FailureAnalysis(
        description + cause,
        isUnreachable(failure)
            ? "Start the database, or correct where it is (spring.r2dbc.url)." + EITHER_WAY
            : "Correct what the database reports." + EITHER_WAY,
        failure);
  }

  /** The properties that create a missing row or table and are not switched on yet. */
  private String create(String row) {
    Binder binder = Binder.get(environment);
    String gapless = named(row, binder, "transactional");
    String place =
        MillraceProperties.PREFIX
            + "."
            + (gapless == null
                ? PropertyRefusal.place(
                    "sequences", Objects.requireNonNullElse(named(row, binder, "sequences"), row))
                : PropertyRefusal.place("transactional", gapless));
    boolean createsRow =
        isTrue(binder, place + ".create") || isTrue(binder, "millrace.defaults.create");
    boolean createsTable = isTrue(binder, "millrace.create-table");
    String properties =
        Stream.of(
                createsRow ? null : place + ".create=true for the row",
                createsTable ? null : "millrace.create-table=true for the table")
            .filter(Objects::nonNull)
            .reduce((one, other) -> one + ", and " + other + ", if that is missing too")
            .orElse("");
    return properties.isEmpty()
        ? "Run the statements above."
        : "Set " + properties + "; or run the statements above.";
  }

  /** The sequence of a map that uses a row, most often by the row's name; null if none does. */
  private static @Nullable String named(String row, Binder binder, String map) {
    BindResult<Map<String, Named>> sequences =
        binder.bind(
            MillraceProperties.PREFIX + "." + map, Bindable.mapOf(String.class, Named.class));
    return sequences.isBound()
        ? sequences.get().entrySet().stream()
            .filter(
                each ->
                    row.equals(Objects.requireNonNullElse(each.getValue().row(), each.getKey())))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null)
        : null;
  }

  /** What the entries of both maps have in common. */
  record Named(@Nullable String row) {}

  private static boolean isTrue(Binder binder, String property) {
    BindResult<Boolean> found =
        binder.bind(ConfigurationPropertyName.adapt(property, '.'), Bindable.of(Boolean.class));
    return found.isBound() && found.get();
  }

  private static boolean isUnreachable(Throwable failure) {
    return causes(failure)
        .anyMatch(
            each ->
                each instanceof IOException
                    || each instanceof TimeoutException
                    || each instanceof SequenceTimeoutException
                    || each instanceof R2dbcTransientResourceException
                    || each instanceof R2dbcNonTransientResourceException
                    || String.valueOf(each.getMessage())
                        .matches("(?s)(UNAVAILABLE|DEADLINE_EXCEEDED):.*"));
  }

  private static Throwable deepest(Throwable failure) {
    return causes(failure).reduce(failure, (before, next) -> next);
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).limit(50);
  }
}
