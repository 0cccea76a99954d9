package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.Sequence.Assigner;
import io.millrace.TransactionalSequence;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.Numbering;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.test.InMemorySequenceStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** Rows get their numbers in the order of the group, or the group says which row is at fault. */
class NumberingTest {

  private record Row(String row, long cells, long bytes, List<Long> numbers)
      implements PreparedRow<String> {

    static Row of(String row) {
      return of(row, List.of());
    }

    static Row of(String row, List<Long> numbers) {
      return new Row(row, 2, row.length(), numbers);
    }
  }

  /** Begins at 7. */
  private static final class FromSeven implements TransactionalSequence<String> {

    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public Mono<List<Long>> next(String transaction, int count) {
      return Mono.just(LongStream.range(7, 7 + count).boxed().toList());
    }
  }

  private static final List<Row> GROUP = List.of(Row.of("a"), Row.of("b"), Row.of("c"));

  private static List<Row> number(Assigner<String, String> assigner, long maxCells, long maxBytes) {
    return number(Numbering.of(new FromSeven(), assigner), GROUP, maxCells, maxBytes);
  }

  private static List<Row> number(
      Numbering<String, String> numbering, List<Row> group, long maxCells, long maxBytes) {
    return Objects.requireNonNull(
        numbering.number(numbering.in("tx"), group, Row::of, maxCells, maxBytes).block());
  }

  private static GroupFailedException failure(
      Assigner<String, String> assigner, long maxCells, long maxBytes) {
    return refused(() -> number(assigner, maxCells, maxBytes));
  }

  private static GroupFailedException refused(ThrowingCallable numbering) {
    return Objects.requireNonNull(catchThrowableOfType(GroupFailedException.class, numbering));
  }

  @Test
  void theRowsAreNumberedInTheOrderOfTheGroup() {
    assertThat(number((row, number) -> row + number, 6, 6))
        .extracting(Row::row)
        .containsExactly("a7", "b8", "c9");
  }

  /** A clock that goes on by a second each time it is read, from just before midnight. */
  private static final class TickingClock extends Clock {

    private Instant next = Instant.parse("2026-12-31T22:59:58Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      Instant now = next;
      next = now.plusSeconds(1);
      return now;
    }
  }

  private static Stream<Arguments> tenants() {
    return Stream.of(arguments(null, 1), arguments((Function<String, String>) row -> "acme", 500));
  }

  @ParameterizedTest
  @MethodSource("tenants")
  void theRowsOfAGroupHaveNumbersOfOneYearAlsoAroundMidnight(
      @Nullable Function<String, String> tenant, int counters) {
    Numbering<String, String> numbering =
        Numbering.of(
            InMemorySequenceStore.create().transactionals(),
            PeriodicNumbers.of("invoice", Period.YEAR)
                .zone(ZoneId.of("Europe/Berlin"))
                .clock(new TickingClock()),
            tenant,
            (row, number) -> row + " " + number.text() + " " + number.date());
    assertThat(numbering.counters(500)).isEqualTo(counters);
    Mono<List<String>> numbered =
        numbering
            .number(numbering.in("tx"), GROUP, Row::of, 1_000, 1_000)
            .map(rows -> rows.stream().map(Row::row).toList());
    assertThat(numbered.block())
        .containsExactly(
            "a 2026-000001 2026-12-31", "b 2026-000002 2026-12-31", "c 2026-000003 2026-12-31");
    assertThat(numbered.block())
        .as("one second later")
        .first()
        .isEqualTo("a 2026-000004 2026-12-31");
    assertThat(numbered.block())
        .as("the next attempt, after midnight")
        .containsExactly(
            "a 2027-000001 2027-01-01", "b 2027-000002 2027-01-01", "c 2027-000003 2027-01-01");
  }

  private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");

  private static PeriodicNumbers invoices() {
    return PeriodicNumbers.of("invoice", Period.YEAR).clock(Clock.fixed(NEW_YEAR, ZoneOffset.UTC));
  }

  /** How many numbers a group takes of which sequences. Nothing is numbered. */
  private static Map<String, Integer> counts(Numbering<String, ?> numbering, List<Row> group) {
    Map<String, Integer> counts = new HashMap<>();
    numbering
        .number(
            each -> {
              counts.putAll(each);
              return Mono.empty();
            },
            group,
            Row::of,
            1_000,
            1_000)
        .block();
    return counts;
  }

  @Test
  void aRowIsNumberedFromTheCounterOfItsPeriod() {
    Numbering<String, String> numbering =
        Numbering.of(
            InMemorySequenceStore.create().transactionals(),
            invoices(),
            null,
            (row, number) -> row + " " + number.text() + " " + number.date());
    assertThat(counts(numbering, GROUP)).isEqualTo(Map.of("invoice/2027", 3));
    assertThat(number(numbering, GROUP, 1_000, 1_000))
        .extracting(Row::row)
        .containsExactly(
            "a 2027-000001 2027-01-01", "b 2027-000002 2027-01-01", "c 2027-000003 2027-01-01");
    assertThat(
            numbering.withNextNumbers(
                List.of(Row.of("a")), List.of(Row.of("a", List.of(8L))), Row::of))
        .extracting(Row::row)
        .containsExactly("a 2027-000009 2027-01-01");
  }

  @Test
  void aRowWithARefusedTenantIsAtFault() {
    Numbering<String, String> numbering =
        Numbering.of(
            InMemorySequenceStore.create().transactionals(),
            invoices(),
            row -> row.equals("b") ? "b/c" : row,
            (row, number) -> row + number.text());
    assertThat(number(numbering, List.of(Row.of("a")), 1_000, 1_000))
        .extracting(Row::row)
        .containsExactly("a2027-000001");
    GroupFailedException failure = refused(() -> number(numbering, GROUP, 1_000, 1_000));
    assertThat(failure.kind()).isEqualTo(Kind.ROWS_REFUSED);
    assertThat(failure.reason())
        .hasMessageStartingWith("tenant must not be blank")
        .hasMessageEndingWith("'b/c'");
  }

  @Test
  void aNumberedGroupOverALimitIsTooLarge() {
    GroupFailedException cells = failure((row, number) -> row, 5, 100);
    assertThat(cells.kind()).isEqualTo(Kind.TOO_LARGE);
    assertThat(cells.reason())
        .isInstanceOf(RowTooLargeException.class)
        .hasMessageContainingAll("cells", "5", "6");

    GroupFailedException bytes = failure((row, number) -> row + number, 100, 5);
    assertThat(bytes.kind()).isEqualTo(Kind.TOO_LARGE);
    assertThat(bytes.reason()).hasMessageContainingAll("bytes", "5", "6");
  }

  @Test
  void theRowThatIsTooLargeIsShownAsItWasBeforeItHadANumber() {
    GroupFailedException failure =
        refused(
            () ->
                number(
                    Numbering.of(new FromSeven(), (String row, long number) -> row + number),
                    List.of(Row.of("a")),
                    1,
                    100));
    assertThat(failure.reason())
        .isInstanceOfSatisfying(
            RowTooLargeException.class, tooLarge -> assertThat(tooLarge.row()).isEqualTo("a"));
  }

  @Test
  void triesTheNextNumberAndNamesTheRowThatRefusesIt() {
    Numbering<String, String> numbering =
        Numbering.of(
            new FromSeven(),
            (String row, long number) -> {
              if (row.equals("b") && number != 8) {
                throw new IllegalArgumentException("expected 8");
              }
              return row + number;
            });
    List<Row> numbered = number(numbering, GROUP, 100, 100);
    assertThat(numbered).extracting(Row::numbers).containsExactly(of(7), of(8), of(9));
    List<Row> two = List.of(GROUP.get(0), GROUP.get(2));
    assertThat(numbering.withNextNumbers(two, List.of(numbered.get(0), numbered.get(2)), Row::of))
        .extracting(Row::row)
        .containsExactly("a8", "c10");

    GroupFailedException failure =
        refused(() -> numbering.withNextNumbers(GROUP, numbered, Row::of));
    assertThat(failure.faults().get(0)).isNull();
    assertThat(failure.faults().get(1))
        .hasMessageContaining("with the numbers [9]")
        .cause()
        .hasMessage("expected 8");
    assertThat(failure.faults().get(2)).isNull();
  }

  private static List<Long> of(long number) {
    return List.of(number);
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void anAssignerThatFailsPutsItsRowAtFault() {
    GroupFailedException thrown =
        failure(
            (row, number) -> {
              throw new IllegalStateException("for the test");
            },
            6,
            6);
    assertThat(thrown.kind()).isEqualTo(Kind.ROWS_REFUSED);
    assertThat(thrown.reason()).hasMessage("for the test");

    assertThat(failure((row, number) -> null, 6, 6).kind()).isEqualTo(Kind.ROWS_REFUSED);
  }

  @Test
  void aRowAtFaultTakesNoNumberAndEachRowAtFaultIsNamedWithItsOwnReason() {
    List<String> tried = new ArrayList<>();
    GroupFailedException failure =
        failure(
            (row, number) -> {
              tried.add(row + number);
              if (!row.equals("b")) {
                throw new IllegalStateException(row);
              }
              return row;
            },
            6,
            6);
    assertThat(tried).containsExactly("a7", "b7", "c8");
    assertThat(failure.faults()).hasSize(3);
    assertThat(failure.faults().get(0)).isSameAs(failure.reason()).hasMessage("a");
    assertThat(failure.faults().get(1)).isNull();
    assertThat(failure.faults().get(2)).hasMessage("c");
  }
}
