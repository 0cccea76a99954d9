package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class SkippedValuesTest {

  private static SkippedValues skipped(long... firstAndLast) {
    SkippedValues skipped = SkippedValues.NONE;
    for (int i = 0; i < firstAndLast.length; i += 2) {
      skipped = skipped.and(firstAndLast[i], firstAndLast[i + 1]);
    }
    return skipped;
  }

  private static SequenceBlock run(long first, long last) {
    return SequenceBlock.of(first, last - first + 1);
  }

  private static long before(SkippedValues skipped, long next, long size) {
    return skipped.before(new SequenceState("s", next), size).nextValue();
  }

  @Test
  void rangesThatTouchOrOverlapAreJoined() {
    assertThat(skipped(10, 20, 30, 40, 21, 25, 35, 50)).isEqualTo(skipped(10, 25, 30, 50));
    assertThat(skipped(1, Long.MAX_VALUE, 5, 6)).isEqualTo(skipped(1, Long.MAX_VALUE));
    assertThat(skipped(Long.MIN_VALUE, 0, 1, 1)).isEqualTo(skipped(Long.MIN_VALUE, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> skipped(5, 4))
        .withMessage("the last value to skip must not be below the first, were 5 and 4");
  }

  @Test
  void theOthersAreTheRunsBetweenTheRanges() {
    SkippedValues skipped = skipped(11, 20, 25, 25, 40, 50);
    assertThat(skipped.others(1, 60))
        .containsExactly(run(1, 10), run(21, 24), run(26, 39), run(51, 60));
    assertThat(skipped.others(15, 45)).containsExactly(run(21, 24), run(26, 39));
    assertThat(skipped.others(20, 25)).containsExactly(run(21, 24));
    assertThat(skipped.others(11, 21)).containsExactly(run(21, 21));
    assertThat(skipped.others(11, 20)).isEmpty();
    assertThat(skipped.others(21, 24)).containsExactly(run(21, 24));
    assertThat(skipped.others(10, 10)).containsExactly(run(10, 10));
  }

  @Test
  void aBlockBeginsWhereItFits() {
    SkippedValues skipped = skipped(11, 20, 25, 25);
    assertThat(before(skipped, 1, 10)).isEqualTo(1);
    assertThat(before(skipped, 2, 10)).isEqualTo(26);
    assertThat(before(skipped, 2, 4)).isEqualTo(2);
    assertThat(before(skipped, 8, 4)).isEqualTo(21);
    assertThat(before(skipped, 15, 4)).isEqualTo(21);
    assertThat(before(skipped, 15, 5)).isEqualTo(26);
    assertThat(before(skipped, 25, 1)).isEqualTo(26);
    assertThat(before(skipped, 26, 1)).isEqualTo(26);
    assertThat(before(skipped(100, 200), Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void aSequenceThatSkipsAllThatIsLeftIsExhausted() {
    SkippedValues skipped = skipped(100, Long.MAX_VALUE);
    assertThat(before(skipped, 90, 10)).isEqualTo(90);
    assertThatThrownBy(() -> before(skipped, 90, 11))
        .isInstanceOf(SequenceExhaustedException.class)
        .hasMessageContaining("the limit is 99");
  }

  @Property(tries = 500)
  void everyValueIsEitherTakenOrSkipped(
      @ForAll @Size(max = 6) List<@LongRange(min = 0, max = 60) Long> firsts,
      @ForAll @LongRange(min = 0, max = 12) long length,
      @ForAll @LongRange(min = -5, max = 60) long start,
      @ForAll @IntRange(min = 1, max = 40) int count) {
    SkippedValues skipped = SkippedValues.NONE;
    for (long first : firsts) {
      skipped = skipped.and(first, first + length);
    }
    SkippedValues all = skipped;
    List<Long> taken = all.take(new SequenceState("s", start), count);
    assertThat(taken)
        .isEqualTo(
            LongStream.iterate(start, i -> i + 1)
                .filter(value -> firsts.stream().noneMatch(f -> value >= f && value <= f + length))
                .limit(count)
                .boxed()
                .toList());
    assertThat(
            all.others(start, taken.get(count - 1)).stream()
                .flatMap(run -> LongStream.rangeClosed(run.first(), run.last()).boxed()))
        .isEqualTo(taken);
  }

  @Property(tries = 500)
  void aStripeSkipsItsPart(
      @ForAll @LongRange(min = -100, max = 100) long first,
      @ForAll @LongRange(min = 0, max = 50) long length,
      @ForAll @LongRange(min = 1, max = 9) long stride) {
    for (long stripe = 0; stripe < stride; stripe++) {
      SkippedValues numbers =
          SkippedValues.NONE.and(first, first + length).ofStripe(stripe, stride);
      for (long number = -200; number <= 200; number++) {
        long value = stripe + stride * number;
        assertThat(numbers.others(number, number).isEmpty())
            .isEqualTo(value >= first && value <= first + length);
      }
    }
  }

  @Test
  void aGeneratorSkipsSeveralRanges() {
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
            .blockSize(2)
            .skip(3, 4)
            .skip(7, 1_000_000)
            .build();
    assertThat(
            Flux.range(0, 6)
                .concatMap(i -> generator.next())
                .collectList()
                .block(Duration.ofSeconds(30)))
        .containsExactly(1L, 2L, 5L, 6L, 1_000_001L, 1_000_002L);
  }

  @Test
  void aStoreThatCannotSkipIsRefusedWhenTheGeneratorIsBuilt() {
    SequenceStore store =
        new DelegatingSequenceStore(InMemorySequenceStore.withSequence("s", 1)) {
          @Override
          public boolean canSkip() {
            return false;
          }
        };
    for (SequenceStore refused : List.of(store)) {
      assertThatThrownBy(() -> SequenceGenerator.builder(refused, "s").skip(3, 4).build())
          .isInstanceOfSatisfying(
              InvalidOptionException.class,
              refusal -> assertThat(refusal.option()).isEqualTo("skip"))
          .hasMessage(
              "skip needs a store that can skip values, was " + refused + " with canSkip false");
    }
  }

  @Test
  void theSameNumbersAreEqualHoweverTheyWereListed() {
    SkippedValues together = SkippedValues.NONE.and(3, 9);
    SkippedValues apart = SkippedValues.NONE.and(6, 9).and(3, 5);
    assertThat(apart).isEqualTo(together).hasSameHashCodeAs(together);
    assertThat(apart).isNotEqualTo(SkippedValues.NONE).isNotEqualTo("3 to 9");
    assertThat(SkippedValues.NONE.and(1, 1).hashCode()).isNotEqualTo(together.hashCode());
  }
}
