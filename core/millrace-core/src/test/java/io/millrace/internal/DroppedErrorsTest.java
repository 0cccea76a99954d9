package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.util.context.Context;

/** Where an error goes that no subscriber can receive. */
class DroppedErrorsTest {

  private final IllegalStateException late = new IllegalStateException("late");
  private final List<Throwable> global = new ArrayList<>();
  private final List<Throwable> own = new ArrayList<>();

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  @Test
  void itGoesToTheHookForAllOrToTheOneInTheSubscribersContext() {
    Hooks.onErrorDropped(global::add);
    DroppedErrors.report(late);
    assertThat(global).containsExactly(late);
    Consumer<Throwable> hook = own::add;
    DroppedErrors.report(late, () -> Context.of("reactor.onErrorDropped.local", hook));
    assertThat(own).containsExactly(late);
    assertThat(global).hasSize(1);
  }

  @Test
  void whatAHookOrAContextThrowsReachesNobody() {
    Hooks.onErrorDropped(
        error -> {
          throw new IllegalStateException("from the hook", error);
        });
    assertThatCode(() -> DroppedErrors.report(late)).doesNotThrowAnyException();
    assertThatCode(
            () ->
                DroppedErrors.report(
                    late,
                    () -> {
                      throw new IllegalStateException("from the context");
                    }))
        .doesNotThrowAnyException();
  }
}
