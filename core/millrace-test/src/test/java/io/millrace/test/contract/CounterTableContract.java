package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * The contract of stores whose counters are rows of a table {@code sequences} with names of 64
 * characters: what they say of missing rows, and which names and sizes they refuse. Extend this
 * class, and implement its abstract methods.
 */
public abstract class CounterTableContract extends ContractFixture {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** {@return how many requests {@link #store()} has sent to its database} */
  protected abstract int requests();

  /** {@return whether a character outside the basic plane counts as one in the name's column} */
  protected boolean countsCodePoints() {
    return true;
  }

  protected static void done(Mono<?> work) {
    StepVerifier.create(work.then()).expectComplete().verify(LIMIT);
  }

  protected static <T> void gives(Mono<T> work, T value) {
    StepVerifier.create(work).expectNext(value).expectComplete().verify(LIMIT);
  }

  protected static void fails(Mono<?> work, Class<? extends Throwable> type, String... parts) {
    StepVerifier.create(work)
        .expectErrorSatisfies(
            e -> {
              assertThat(e).isInstanceOf(type);
              for (String part : parts) {
                assertThat(e).hasMessageContaining(part);
              }
            })
        .verify(LIMIT);
  }

  @Test
  void aMissingRowSaysWhatToRun() {
    fails(
        store().reserve("absent", 1),
        SequenceNotFoundException.class,
        "absent",
        "sequences",
        "INSERT INTO",
        "'absent', 1");
    fails(store().state("absent"), SequenceNotFoundException.class, "INSERT INTO");
    fails(store().release("absent", SequenceBlock.of(1, 1)), SequenceNotFoundException.class);
    fails(store().advanceTo("absent", 1), SequenceNotFoundException.class);
    fails(store().state("o'dd"), SequenceNotFoundException.class, "call create");
  }

  @Test
  void sizesAndNamesOutOfRangeAreRefusedThroughTheMono() {
    String name = newSequence(1);
    int before = requests();
    fails(store().reserve(name, 0), IllegalArgumentException.class, "0");
    fails(store().reserve("", 1), IllegalArgumentException.class, "1 to 64");
    fails(store().reserve("x".repeat(65), 1), IllegalArgumentException.class, "65");
    fails(store().state(""), IllegalArgumentException.class);
    fails(store().create("", 1), IllegalArgumentException.class);
    assertThat(requests()).isEqualTo(before);
    if (countsCodePoints()) {
      String widest = "\uD83D\uDE00".repeat(64);
      done(store().create(widest, 1));
      gives(store().reserve(widest, 1), SequenceBlock.of(1, 1));
    }
  }

  @Test
  void releasesNoTailBehindTheLargestValue() {
    String lowest = newSequence(Long.MIN_VALUE); // one behind the largest long, where it wraps
    int before = requests();
    gives(store().release(lowest, SequenceBlock.of(Long.MAX_VALUE - 5, 6)), false);
    assertThat(requests()).isEqualTo(before);
    gives(store().state(lowest), new SequenceState(lowest, Long.MIN_VALUE));
  }
}
