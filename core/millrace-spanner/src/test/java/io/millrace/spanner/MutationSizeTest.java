package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Value;
import com.google.cloud.spanner.ValueBinder;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MutationSizeTest {

  private static long bytes(
      Function<ValueBinder<Mutation.WriteBuilder>, Mutation.WriteBuilder> value) {
    return MutationSize.bytes(
        List.of(value.apply(Mutation.newInsertBuilder("t").set("c")).build()));
  }

  @Test
  void aWriteHasACellForEachColumnAndEachIndexEntry() {
    Mutation two = Mutation.newInsertBuilder("t").set("a").to(1).set("b").to(2).build();
    Mutation one = Mutation.newUpdateBuilder("t").set("a").to(1).build();
    assertThat(MutationSize.cells(List.of(two, one), 0)).isEqualTo(3);
    assertThat(MutationSize.cells(List.of(two, one), 4)).isEqualTo(11);
    assertThat(MutationSize.cells(List.of(two, one), Integer.MAX_VALUE))
        .isEqualTo(3 + 2L * Integer.MAX_VALUE);
  }

  @Test
  void aDeleteHasOneCellAndNoBytes() {
    Mutation delete = Mutation.delete("t", Key.of("key", 1));
    assertThat(MutationSize.cells(List.of(delete), 2)).isEqualTo(3);
    assertThat(MutationSize.bytes(List.of(delete))).isZero();
  }

  @Test
  void valuesHaveTheSizesOfSpannersStorage() {
    assertThat(bytes(c -> c.to(true))).isEqualTo(1);
    assertThat(bytes(c -> c.to(1L))).isEqualTo(8);
    assertThat(bytes(c -> c.to(1.5))).isEqualTo(8);
    assertThat(bytes(c -> c.to(1.5f))).isEqualTo(4);
    assertThat(bytes(c -> c.to(Date.parseDate("2020-01-01")))).isEqualTo(4);
    assertThat(bytes(c -> c.to(Timestamp.ofTimeMicroseconds(1)))).isEqualTo(12);
    assertThat(bytes(c -> c.to(Value.COMMIT_TIMESTAMP))).isEqualTo(12);
    assertThat(bytes(c -> c.to((Long) null))).isEqualTo(1);
    assertThat(bytes(c -> c.to(new BigDecimal("12.5")))).isEqualTo(4);
    assertThat(bytes(c -> c.to(Value.json("{\"a\":1}")))).isEqualTo(7);
  }

  @Test
  void textIsCountedInUtf8AndBytesAsTheyAre() {
    assertThat(bytes(c -> c.to("aé€😀"))).isEqualTo(1 + 2 + 3 + 4);
    assertThat(bytes(c -> c.to(ByteArray.copyFrom(new byte[100])))).isEqualTo(100);
    assertThat(bytes(c -> c.to("unpaired \ud800"))).isEqualTo(10);
    assertThat(
            bytes(
                c ->
                    c.to(
                        Value.untyped(
                            com.google.protobuf.Value.newBuilder().setStringValue("é").build()))))
        .isEqualTo(2);
  }

  @Test
  void theElementsOfAnArrayAddUp() {
    assertThat(bytes(c -> c.toStringArray(List.of("é", "abc")))).isEqualTo(5);
  }

  @Test
  void theMutationsOfARowAddUp() {
    Mutation eight = Mutation.newInsertBuilder("t").set("a").to(1L).build();
    Mutation three = Mutation.newInsertBuilder("t").set("a").to("abc").build();
    assertThat(MutationSize.bytes(List.of(eight, three, three))).isEqualTo(14);
  }
}
