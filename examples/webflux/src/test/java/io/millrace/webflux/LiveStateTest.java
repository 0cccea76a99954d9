package io.millrace.webflux;

import static io.millrace.webflux.LiveState.Condition.CUT_OFF;
import static io.millrace.webflux.LiveState.Condition.FAILING;
import static io.millrace.webflux.LiveState.Condition.GOOD;
import static io.millrace.webflux.LiveState.Condition.RECOVERING;
import static io.millrace.webflux.LiveState.Condition.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

/** The condition of a generator, whose store fails by the cut of the database or otherwise. */
class LiveStateTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  private SequenceGenerator generator(Duration backoff) {
    return SequenceGenerator.builder(store, "s").backoff(backoff, backoff, 0, 1).build();
  }

  private SequenceGenerator failed(Duration backoff, boolean byCut) {
    SequenceGenerator generator = generator(backoff);
    store.startOutage(
        byCut ? new DatabaseSwitch.CutOffException() : new IllegalStateException("full"));
    StepVerifier.create(generator.next()).expectError().verify(LIMIT);
    return generator;
  }

  private static LiveState.Condition condition(SequenceGenerator generator, boolean cut) {
    return LiveState.Condition.of(generator.snapshot(), cut);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCutShowsWhateverHappenedBefore(boolean hasFailed) {
    SequenceGenerator generator = hasFailed ? failed(LONG, false) : generator(LONG);
    assertThat(condition(generator, true)).isEqualTo(CUT_OFF);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyAFailureByTheCutIsOverBeforeTheNextAttempt(boolean byCut) {
    SequenceGenerator generator = failed(SHORT, byCut);
    await().atMost(LIMIT).until(() -> !generator.snapshot().failing());
    assertThat(condition(generator, false)).isEqualTo(byCut ? GOOD : UNKNOWN);
    store.endOutage();
    StepVerifier.create(generator.next()).expectNextCount(1).expectComplete().verify(LIMIT);
    assertThat(condition(generator, false)).isEqualTo(GOOD);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGeneratorBeforeItsNextAttemptRecoversFromACutAndFailsOtherwise(boolean byCut) {
    assertThat(condition(failed(LONG, byCut), false)).isEqualTo(byCut ? RECOVERING : FAILING);
  }
}
