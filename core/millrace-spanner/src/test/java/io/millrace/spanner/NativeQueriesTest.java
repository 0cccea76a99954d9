package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Struct;
import io.millrace.spanner.ddl.BitReversedCounter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How the options of a sequence are read, also those that this library would not set. */
class NativeQueriesTest {

  private static final BitReversedCounter FROM_ONE = BitReversedCounter.fromOne();

  private static BitReversedCounter counter(
      @Nullable Long start, @Nullable Long firstSkipped, @Nullable Long lastSkipped) {
    return NativeQueries.counter(
        List.of(
            Struct.newBuilder()
                .set("start")
                .to(start)
                .set("first")
                .to(firstSkipped)
                .set("last")
                .to(lastSkipped)
                .build()));
  }

  @Test
  void withoutOptionsItCountsFromOneAndSkipsNothing() {
    assertThat(NativeQueries.counter(List.of())).isEqualTo(FROM_ONE);
    assertThat(counter(null, null, null)).isEqualTo(FROM_ONE);
    assertThat(counter(50L, null, null)).isEqualTo(BitReversedCounter.from(50));
  }

  @Test
  void ofWhatIsSkippedThePositivePartCounts() {
    assertThat(counter(null, -5L, 10L)).isEqualTo(FROM_ONE.skipping(1, 10));
    assertThat(counter(null, 0L, 1L)).isEqualTo(FROM_ONE.skipping(1, 1));
    assertThat(counter(null, 3L, 10L)).isEqualTo(FROM_ONE.skipping(3, 10));
    assertThat(counter(null, Long.MIN_VALUE, Long.MAX_VALUE))
        .isEqualTo(FROM_ONE.skipping(1, Long.MAX_VALUE));
    assertThat(counter(50L, -5L, 0L)).isEqualTo(BitReversedCounter.from(50));
    assertThat(counter(null, Long.MIN_VALUE, -1L)).isEqualTo(FROM_ONE);
  }

  @Test
  void anEndThatIsNotSetIsTheEndOfAllValues() {
    assertThat(counter(null, 5L, null)).isEqualTo(FROM_ONE.skipping(5, Long.MAX_VALUE));
    assertThat(counter(null, -5L, null)).isEqualTo(FROM_ONE.skipping(1, Long.MAX_VALUE));
    assertThat(counter(null, null, 5L)).isEqualTo(FROM_ONE.skipping(1, 5));
    assertThat(counter(null, null, -5L)).isEqualTo(FROM_ONE);
  }
}
