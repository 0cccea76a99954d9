package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

/** A generator's store answers as the user's store does, if that keeps its contract. */
class GuardedStoreTest {

  private static final Duration GUARD = Duration.ofSeconds(30);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final SequenceStore guarded = new GuardedStore(store);

  @Test
  void itsRequestsReachTheStore() {
    StepVerifier.create(guarded.create("other", 40)).expectComplete().verify(GUARD);
    StepVerifier.create(guarded.reserve("other", 10))
        .assertNext(block -> assertThat(block.first()).isEqualTo(40))
        .expectComplete()
        .verify(GUARD);
    StepVerifier.create(guarded.state("other"))
        .assertNext(state -> assertThat(state.nextValue()).isEqualTo(50))
        .expectComplete()
        .verify(GUARD);
    assertThat(guarded).hasToString(store.toString());
  }

  @Test
  void itIsReleasableIfTheStoreIs() {
    for (boolean releasable : new boolean[] {true, false}) {
      SequenceStore answering =
          new DelegatingSequenceStore(store) {
            @Override
            public boolean isReleasable() {
              return releasable;
            }
          };
      assertThat(new GuardedStore(answering).isReleasable()).isEqualTo(releasable);
    }
  }

  @Test
  void aStoreThatCannotSayWhetherItIsReleasableIsNotAndTheReasonIsLogged() {
    SequenceStore broken =
        new DelegatingSequenceStore(store) {
          @Override
          public boolean isReleasable() {
            throw new AssertionError("on purpose");
          }
        };
    try (LogLines lines = new LogLines(SequenceStore.class)) {
      assertThat(new GuardedStore(broken).isReleasable()).isFalse();
      assertThat(lines.at(Level.ERROR))
          .containsExactly("A store threw from isReleasable; nothing is given back to it");
    }
  }
}
