package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that stop halfway, as others find them. */
class LiveGeneratorsTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final LiveGenerators generators =
      new LiveGenerators(1, Turnstile.OPEN, new InlineScheduler(), Duration.ZERO);

  private LiveGenerator lease(String name) {
    return generators.lease(name, () -> SequenceGenerator.builder(store, name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void whoFindsOneRetiredGivesItsPlaceUpForTheOneWhoRetiredIt(String next) {
    LiveGenerator retired = lease("a");
    retired.release();
    assertThat(retired.retire()).isTrue(); // and then is slow to give its place up
    LiveGenerator follows = lease(next);
    assertThat(follows).isNotSameAs(retired);
    assertThat(follows.lease()).isTrue();
    assertThat(retired.vacate()).as("once is enough").isFalse();
    assertThatThrownBy(() -> lease("c")).isInstanceOf(SequenceGeneratorLimitException.class);
  }

  @Test
  void oneThatIsRetiredIsLeasedToNobodyAndOneThatIsLeasedIsNotRetired() {
    LiveGenerator leased = lease("a");
    assertThat(leased.retire()).isFalse();
    leased.release();
    assertThat(leased.lease()).isTrue();
    leased.release();
    assertThat(leased.retire()).isTrue();
    assertThat(leased.lease()).isFalse();
    assertThat(leased.retire()).isFalse();
  }
}
