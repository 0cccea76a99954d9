package io.millrace.spanner.ddl;

import static com.google.cloud.spanner.Dialect.GOOGLE_STANDARD_SQL;
import static com.google.cloud.spanner.Dialect.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SequenceDdlTest {

  @Test
  void aSequenceIsBitReversed() {
    SequenceDdl sequence = SequenceDdl.named("OrderIds");
    assertThat(sequence.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo("CREATE SEQUENCE `OrderIds` BIT_REVERSED_POSITIVE");
    assertThat(sequence.toDdl(POSTGRESQL))
        .isEqualTo("CREATE SEQUENCE \"OrderIds\" BIT_REVERSED_POSITIVE");
  }

  @Test
  void aSequenceStartsAndSkipsAsItsCounterDoes() {
    SequenceDdl sequence =
        new SequenceDdl("ids.OrderIds", BitReversedCounter.from(50).skipping(1, 1000));
    assertThat(sequence.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo(
            "CREATE SEQUENCE `ids`.`OrderIds` BIT_REVERSED_POSITIVE"
                + " SKIP RANGE 1, 1000 START COUNTER WITH 50");
    assertThat(sequence.toDdl(POSTGRESQL))
        .isEqualTo(
            "CREATE SEQUENCE \"ids\".\"OrderIds\" BIT_REVERSED_POSITIVE"
                + " SKIP RANGE 1 1000 START COUNTER WITH 50");
    assertThat(BitReversedCounter.from(7).skipping(1, 2).skipping(3, 3))
        .as("the last range counts")
        .hasToString("BIT_REVERSED_POSITIVE SKIP RANGE 3, 3 START COUNTER WITH 7");
  }

  @Test
  void countersAndRangesAreOfPositiveNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BitReversedCounter.from(0))
        .withMessageContaining("was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BitReversedCounter.fromOne().skipping(0, 5))
        .withMessageContaining("0 to 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BitReversedCounter.fromOne().skipping(6, 5))
        .withMessageContaining("6 to 5");
    assertThat(BitReversedCounter.from(Long.MAX_VALUE).skipping(Long.MAX_VALUE, Long.MAX_VALUE))
        .hasToString(
            "BIT_REVERSED_POSITIVE SKIP RANGE 9223372036854775807, 9223372036854775807"
                + " START COUNTER WITH 9223372036854775807");
  }
}
