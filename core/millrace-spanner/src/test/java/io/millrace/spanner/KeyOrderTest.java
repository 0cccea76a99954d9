package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Value;
import io.millrace.spanner.ddl.KeyColumn;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyOrderTest {

  private static final KeyOrder ORDER = new KeyOrder(List.of(new KeyColumn("k", false)));

  private static KeyedRow text(@Nullable String value) {
    return ORDER.keyed(Struct.newBuilder().set("k").to(value).build());
  }

  private static KeyedRow bytes(byte[] value) {
    return ORDER.keyed(Struct.newBuilder().set("k").to(ByteArray.copyFrom(value)).build());
  }

  /** Around the places where UTF-16 and UTF-8 differ in order. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff)
        .list()
        .ofMaxSize(4)
        .map(
            points -> {
              StringBuilder made = new StringBuilder();
              points.forEach(made::appendCodePoint);
              return made.toString();
            });
  }

  @Property
  void stringsAreOrderedAsTheirUtf8BytesAre(
      @ForAll("texts") String left, @ForAll("texts") String right) {
    int bytes =
        Arrays.compareUnsigned(
            left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    assertThat(ORDER.compare(text(left), text(right))).isEqualTo(Integer.signum(bytes));
  }

  @Property
  void bytesAreOrderedWithoutSign(@ForAll byte[] left, @ForAll byte[] right) {
    assertThat(Integer.signum(ORDER.compare(bytes(left), bytes(right))))
        .isEqualTo(Integer.signum(Arrays.compareUnsigned(left, right)));
  }

  @Test
  void nullComesFirstAndLastInADescendingColumn() {
    KeyOrder descending = new KeyOrder(List.of(new KeyColumn("k", true)));
    assertThat(ORDER.compare(text(null), text(""))).isNegative();
    assertThat(ORDER.compare(text(""), text(null))).isPositive();
    assertThat(ORDER.compare(text(null), text(null))).isZero();
    assertThat(descending.compare(text(null), text(""))).isPositive();
  }

  @Test
  void laterColumnsDecideWhereEarlierAreEqual() {
    KeyOrder order = new KeyOrder(List.of(new KeyColumn("a", true), new KeyColumn("b", false)));
    KeyedRow first = order.keyed(pair(2, 1));
    KeyedRow second = order.keyed(pair(2, 3));
    KeyedRow third = order.keyed(pair(1, 2));
    assertThat(List.of(third, second, first).stream().sorted(order))
        .containsExactly(first, second, third);
    assertThat(order).hasToString("(a DESC, b)");
  }

  /** Two keys of one type, the smaller first. */
  static Stream<Arguments> keysOfEachType() {
    return Stream.of(
        arguments(Value.bool(false), Value.bool(true)),
        arguments(Value.int64(-2), Value.int64(1)),
        arguments(Value.numeric(new BigDecimal("9.5")), Value.numeric(new BigDecimal("10"))),
        arguments(Value.string("Z"), Value.string("a")),
        arguments(Value.string("a"), Value.string("ab")),
        arguments(
            Value.bytes(ByteArray.copyFrom(new byte[] {127})),
            Value.bytes(ByteArray.copyFrom(new byte[] {-128}))),
        arguments(
            Value.timestamp(Timestamp.ofTimeSecondsAndNanos(5, 1)),
            Value.timestamp(Timestamp.ofTimeSecondsAndNanos(5, 2))),
        arguments(
            Value.date(Date.fromYearMonthDay(1999, 12, 31)),
            Value.date(Date.fromYearMonthDay(2000, 1, 1))));
  }

  @ParameterizedTest
  @MethodSource("keysOfEachType")
  void keysOfEveryTypeAreOrderedByValueOrTheOtherWayRound(Value smaller, Value larger) {
    Struct first = Struct.newBuilder().set("k").to(smaller).build();
    Struct second = Struct.newBuilder().set("k").to(larger).build();
    KeyOrder descending = new KeyOrder(List.of(new KeyColumn("k", true)));
    assertThat(ORDER.compare(ORDER.keyed(first), ORDER.keyed(second))).isNegative();
    assertThat(ORDER.compare(ORDER.keyed(second), ORDER.keyed(first))).isPositive();
    assertThat(ORDER.compare(ORDER.keyed(first), ORDER.keyed(first))).isZero();
    assertThat(descending.compare(descending.keyed(first), descending.keyed(second))).isPositive();
    assertThat(ORDER.keyed(first).row()).isSameAs(first);
  }

  @Test
  void theDifferenceOfTwoRowsNamesTheFirstColumnAndNoValue() {
    KeyOrder order = new KeyOrder(List.of(new KeyColumn("a", true), new KeyColumn("b", false)));
    assertThat(order.difference(order.keyed(pair(7, 8)), order.keyed(pair(9, 8))))
        .isEqualTo("they differ first in column 'a'");
    assertThat(order.difference(order.keyed(pair(7, 8)), order.keyed(pair(7, 9))))
        .isEqualTo("they differ first in column 'b'");
    assertThat(order.difference(order.keyed(pair(7, 8)), order.keyed(pair(7, 8))))
        .isEqualTo("the two have the same key");
  }

  private static Struct pair(long a, long b) {
    return Struct.newBuilder().set("b").to(b).set("a").to(a).build();
  }

  @Test
  void aColumnOfAnotherTypeIsRefusedWithItsNameAndType() {
    Struct row = Struct.newBuilder().set("k").to(1.5).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ORDER.keyed(row))
        .withMessageContaining("'k' was FLOAT64");
  }
}
