package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceWaiterLimitException;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

class SequenceGeneratorBuilderTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  @ParameterizedTest
  @MethodSource("outOfRange")
  void aValueOutsideItsRangeIsRefusedWhenItIsSetAndQuoted(
      String message, UnaryOperator<SequenceGeneratorBuilder> setter) {
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(store, "s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setter.apply(builder))
        .withMessage(message);
  }

  static Arguments[] outOfRange() {
    return new Arguments[] {
      refused("blockSize must be from 1 to 1099511627776, was 0", b -> b.blockSize(0)),
      refused(
          "blockSize must be from 1 to 1099511627776, was 1099511627777",
          b -> b.blockSize((1L << 40) + 1)),
      refused("maxBlockSize must be from 1 to 1099511627776, was -1", b -> b.maxBlockSize(-1)),
      refused("lowWatermark must be from 0 to 1099511627776, was -1", b -> b.lowWatermark(-1)),
      refused(
          "adaptive minBlockSize must be from 3 to 1099511627776, was 2",
          b -> b.adaptive(2, 100, Duration.ofSeconds(1))),
      refused(
          "adaptive maxBlockSize must be from 100 to 1099511627776, was 99",
          b -> b.adaptive(100, 99, Duration.ofSeconds(1))),
      refused(
          "adaptive maxBlockSize must be from 3 to 1099511627776, was 1099511627777",
          b -> b.adaptive(3, (1L << 40) + 1, Duration.ofSeconds(1))),
      refused(
          "adaptive target must be from PT0.001S to PT8760H, was PT0S",
          b -> b.adaptive(3, 100, Duration.ZERO)),
      refused(
          "adaptive target must be from PT0.001S to PT8760H, was PT8760H0.000000001S",
          b -> b.adaptive(3, 100, Duration.ofDays(365).plusNanos(1))),
      refused("maxWaiters must be from 0 to 2147483647, was -1", b -> b.maxWaiters(-1)),
      refused(
          "acquireTimeout must be from PT0S to PT8760H, was PT-1S",
          b -> b.acquireTimeout(Duration.ofSeconds(-1))),
      refused(
          "reservationTimeout must be from PT0S to PT8760H, was PT8761H",
          b -> b.reservationTimeout(Duration.ofHours(8761))),
      refused(
          "backoff min must be from PT0.001S to PT8760H, was PT0S",
          b -> b.backoff(Duration.ZERO, Duration.ofSeconds(1), 0.5, 1)),
      refused(
          "backoff max must be from PT2S to PT8760H, was PT1S",
          b -> b.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 0.5, 1)),
      refused(
          "backoff jitter must be from 0 to 1, was 1.5",
          b -> b.backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 1.5, 1)),
      refused(
          "backoff jitter must be from 0 to 1, was NaN",
          b -> b.backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), Double.NaN, 1)),
      refused(
          "backoff attempts must be from 1 to 2147483647, was 0",
          b -> b.backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0.5, 0)),
    };
  }

  private static Arguments refused(String message, UnaryOperator<SequenceGeneratorBuilder> setter) {
    return Arguments.of(message, setter);
  }

  @Test
  void aNameThatIsBlankIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceGenerator.builder(store, " "))
        .withMessageContaining("' '");
  }

  @Test
  void optionsThatExcludeEachOtherAreRefusedWithBothValues() {
    assertThatThrownBy(
            () -> SequenceGenerator.builder(store, "s").blockSize(100).lowWatermark(100).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lowWatermark must be below blockSize 100, was 100");
    assertThatThrownBy(
            () -> SequenceGenerator.builder(store, "s").blockSize(1).lowWatermark(1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lowWatermark must be below blockSize 1, was 1");
    assertThatThrownBy(
            () -> SequenceGenerator.builder(store, "s").blockSize(100).maxBlockSize(99).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxBlockSize must be at least blockSize 100, was 99");
    assertThatThrownBy(
            () -> SequenceGenerator.builder(store, "s").blockSize(2).maxWaiters(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxWaiters 0 needs a lowWatermark above 0 to fill the buffer, was 0");
    assertThatThrownBy(
            () -> SequenceGenerator.builder(store, "s").blockSize(1).maxWaiters(0).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void withoutAnyOptionTheSizesAdapt() {
    assertThat(new BlockSizes.Options().checked(1))
        .isEqualTo(new BlockSizes(10, 100_000, 0, Duration.ofSeconds(10)));
    assertThat(new BlockSizes.Options().checked(0).target()).isNotNull();
  }

  @Test
  void aSingleFixedSizeFixesTheOthers() {
    assertThat(fixedBy(options -> options.blockSize(500)))
        .isEqualTo(new BlockSizes(500, 10_000, 0, null));
    assertThat(fixedBy(options -> options.blockSize(20_000)))
        .isEqualTo(new BlockSizes(20_000, 20_000, 0, null));
    assertThat(fixedBy(options -> options.maxBlockSize(5_000)))
        .isEqualTo(new BlockSizes(1_000, 5_000, 0, null));
    assertThat(fixedBy(options -> options.lowWatermark(5)))
        .isEqualTo(new BlockSizes(1_000, 10_000, 5, null));
  }

  private static BlockSizes fixedBy(Consumer<BlockSizes.Options> option) {
    BlockSizes.Options options = new BlockSizes.Options();
    option.accept(options);
    return options.checked(1);
  }

  @ParameterizedTest
  @MethodSource("fixedSizes")
  void sizesThatAdaptExcludeFixedOnesInAnyOrder(
      String excluded, UnaryOperator<SequenceGeneratorBuilder> fixed) {
    Duration target = Duration.ofSeconds(1);
    String message =
        "adaptive chooses the block size and the watermark itself, from 10 to 500 values,"
            + " and excludes "
            + excluded;
    SequenceGeneratorBuilder before = fixed.apply(SequenceGenerator.builder(store, "s"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> before.adaptive(10, 500, target).build())
        .withMessage(message);
    SequenceGeneratorBuilder after =
        fixed.apply(SequenceGenerator.builder(store, "s").adaptive(10, 500, target));
    assertThatIllegalArgumentException().isThrownBy(after::build).withMessage(message);
  }

  static Arguments[] fixedSizes() {
    return new Arguments[] {
      refused("blockSize 1", b -> b.blockSize(1)),
      refused("maxBlockSize 500", b -> b.maxBlockSize(500)),
      refused("lowWatermark 0", b -> b.lowWatermark(0)),
      refused("blockSize 100", b -> b.blockSize(100).lowWatermark(5).maxBlockSize(200)),
    };
  }

  @Test
  void sizesThatAdaptNeedNoOrderedStoreAndFillTheBufferWhereNobodyMayWait() {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .adaptive(3, 500, Duration.ofSeconds(1))
            .maxWaiters(0)
            .build();
    generator.warmup().block(Duration.ofSeconds(30));
    assertThat(generator.next().block()).isEqualTo(1);
    assertThat(
            SequenceGenerator.builder(new UnorderedStore(), "s")
                .adaptive(3, 3, Duration.ofSeconds(1))
                .build()
                .snapshot()
                .blockSize())
        .isEqualTo(3);
  }

  @Test
  void theOrderedModeNeedsAnOrderedStore() {
    assertThatThrownBy(
            () -> SequenceGenerator.builder(new UnorderedStore(), "s").blockSize(1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blockSize 1")
        .hasMessageContaining("isOrdered false");
    assertThat(SequenceGenerator.builder(new UnorderedStore(), "s").blockSize(2).build().name())
        .isEqualTo("s");
  }

  @Test
  void completesAStartedListAlthoughNobodyMayWait() {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s").blockSize(10).lowWatermark(2).maxWaiters(0).build();
    Mono<List<Long>> list = generator.next(15);
    assertThatThrownBy(list::block).isInstanceOf(SequenceWaiterLimitException.class);
    generator.warmup().block(Duration.ofSeconds(30));
    assertThat(list.block(Duration.ofSeconds(30)))
        .isEqualTo(LongStream.rangeClosed(1, 15).boxed().toList());
  }

  @Test
  void theLimitsOfARangeAreAllowed() {
    Duration shortest = Duration.ofMillis(1);
    Duration longest = Duration.ofDays(365);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .backoff(shortest, shortest, 0, 1)
            .backoff(longest, longest, 1, Integer.MAX_VALUE)
            .acquireTimeout(longest)
            .blockSize(1L << 40)
            .maxBlockSize(1L << 40)
            .build();
    assertThat(generator.snapshot().blockSize()).isEqualTo(1L << 40);
  }

  private static final class UnorderedStore implements SequenceStore {

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return Mono.empty();
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return Mono.empty();
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return Mono.empty();
    }

    @Override
    public boolean isOrdered() {
      return false;
    }

    @Override
    public boolean isReleasable() {
      return false;
    }
  }
}
