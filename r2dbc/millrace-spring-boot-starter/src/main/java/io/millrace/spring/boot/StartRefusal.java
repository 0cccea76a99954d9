package io.millrace.spring.boot;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import reactor.core.publisher.Mono;

/**
 * A request that the database refused at the start.
 *
 * @param user the property that needs the request, such as {@code millrace.sequences.a}
 * @param cause the refusal, whose message has the statements to run
 * @param create the property that creates what is missing; null if there is none
 */
record StartRefusal(String user, Throwable cause, @Nullable String create) {

  /** Emits a failure that a retry does not resolve, and passes any other failure on. */
  static Mono<StartRefusal> of(Mono<?> request, String user) {
    return request
        .then(Mono.<StartRefusal>empty())
        .onErrorResume(
            failure ->
                failure instanceof IllegalArgumentException || GeneratorStates.isPermanent(failure),
            failure -> Mono.just(new StartRefusal(user, failure, null)));
  }

  /** Reports each cause once, with all properties that need it. */
  static StartFailedException report(List<StartRefusal> refused) {
    Map<String, List<StartRefusal>> byCause =
        refused.stream()
            .collect(
                Collectors.groupingBy(
                    each -> NestedExceptionUtils.getMostSpecificCause(each.cause).toString(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    String description =
        byCause.values().stream()
            .map(
                same ->
                    same.stream().map(StartRefusal::user).collect(Collectors.joining(", "))
                        + ": "
                        + same.get(0).cause.getMessage())
            .collect(Collectors.joining("%n- ".formatted(), "%n%n- ".formatted(), ""));
    StartFailedException report =
        new StartFailedException("The database refuses sequences:" + description, action(refused));
    report.initCause(refused.get(0).cause);
    return report;
  }

  private static String action(List<StartRefusal> refused) {
    List<String> actions = new ArrayList<>();
    String creating =
        refused.stream()
            .map(StartRefusal::create)
            .filter(Objects::nonNull)
            .distinct()
            .map(property -> property + "=true")
            .collect(Collectors.joining(", "));
    if (!creating.isEmpty()) {
      actions.add("Run the statements above, or set " + creating + ".");
    }
    if (refused.stream().anyMatch(each -> each.cause instanceof SequenceExhaustedException)) {
      actions.add(
          "Raise max-value, if the column of the values allows it, or use another sequence.");
    }
    if (!refused.stream()
        .allMatch(
            each ->
                each.cause instanceof SequenceNotFoundException
                    || each.cause instanceof SequenceExhaustedException)) {
      actions.add(
          "Correct what the database reports: the address, user and password (spring.r2dbc.*), or"
              + " the user's rights to SELECT and UPDATE the table, and to CREATE it and INSERT rows"
              + " if it creates them.");
    }
    return String.join(" ", actions);
  }
}
