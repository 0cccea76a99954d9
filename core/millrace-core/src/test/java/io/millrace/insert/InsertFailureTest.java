package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The messages of failures, where failures are reported, and when a group is retried. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class InsertFailureTest {

  private static final IllegalStateException REASON = new IllegalStateException("refused");
  private static final String SECRET = "4111-1111-1111-1111";

  /** A row that must not be in a log. */
  private record Card(int id, String number) {}

  private record Prepared(Card row, long cells, long bytes) implements PreparedRow<Card> {}

  private static final class Cards extends Inserts<Card, Void, Cards>
      implements GroupTransactions<Card, Prepared> {

    private final Function<List<Prepared>, Mono<List<Committed<Card>>>> write;

    Cards(Function<List<Prepared>, Mono<List<Committed<Card>>>> write) {
      super(1_000, 1_000, 1_000);
      this.write = write;
    }

    @Override
    protected GroupTransactions<Card, ?> transactions(
        int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
      return this;
    }

    @Override
    public Prepared prepare(Card row) {
      return new Prepared(row, row.id() < 0 ? 9_999 : 1, 1);
    }

    @Override
    public Mono<List<Committed<Card>>> commit(List<Prepared> group) {
      return write.apply(group);
    }

    @Override
    public Mono<List<InsertOutcome<Card>>> find(List<Prepared> group, List<Prepared> sent) {
      throw new AssertionError("no answer is lost");
    }

    @Override
    protected Cards self() {
      return this;
    }
  }

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  private static InsertFailedException failure(
      Function<List<Prepared>, Mono<List<Committed<Card>>>> write, int... ids) {
    return failure(new Cards(write), ids);
  }

  private static InsertFailedException failure(Cards cards, int... ids) {
    Throwable thrown =
        Flux.fromStream(Arrays.stream(ids).mapToObj(id -> new Card(id, SECRET)))
            .transform(cards.groupSize(2).rows())
            .then(Mono.<Throwable>empty())
            .onErrorResume(Mono::just)
            .block(Duration.ofSeconds(60));
    assertThat(thrown).isInstanceOf(InsertFailedException.class);
    return (InsertFailedException) Exceptions.unwrap(Objects.requireNonNull(thrown));
  }

  private static Mono<List<Committed<Card>>> committed(List<Prepared> group) {
    return Mono.just(group.stream().map(row -> new Committed<>(row.row(), null)).toList());
  }

  private static Mono<List<Committed<Card>>> failed(Kind kind) {
    return Mono.error(new GroupFailedException(kind, REASON));
  }

  @SuppressWarnings("NullAway") // what a caller without null checks may do
  private static Object noShard(Card row) {
    return null;
  }

  private static String everythingSaid(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return failure.getMessage() + failure + trace;
  }

  @Test
  void noFailureSaysWhatIsInARow() {
    List<Throwable> failures =
        List.of(
            failure(InsertFailureTest::committed, 1, 2, -3),
            failure(group -> failed(Kind.GROUP_REFUSED), 1),
            failure(group -> failed(Kind.UNKNOWN), 1),
            failure(group -> Mono.error(REASON), 1, 2),
            failure(group -> Mono.empty(), 1, 2),
            failure(
                new Cards(InsertFailureTest::committed).groupedBy(InsertFailureTest::noShard), 1),
            new GroupFailedException(Kind.ROWS_REFUSED, REASON),
            catchThrowable(
                () -> RowTooLargeException.requireWithin("bytes", 2, 1, 1, new Card(1, SECRET))));

    assertThat(failures)
        .allSatisfy(failure -> assertThat(everythingSaid(failure)).doesNotContain(SECRET));
    assertThat(((InsertFailedException) failures.get(0)).rows())
        .isEqualTo(List.of(new Card(-3, SECRET)));
    assertThat(failures.get(0).getCause())
        .isInstanceOfSatisfying(
            RowTooLargeException.class,
            tooLarge -> assertThat(tooLarge.row()).isEqualTo(new Card(-3, SECRET)));
  }

  /** Rows 2 and 4 of the stream fail, each in a group with a row that is committed. */
  @Test
  void aFailureNamesTheRowsOfItsGroupThatAreNotCommittedAndNoOthers() {
    List<Card> emitted = new ArrayList<>();
    List<Card> discarded = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    Sinks.One<Boolean> bothSent = Sinks.one();
    AtomicInteger sent = new AtomicInteger();
    Flux.just(1, 2, 3, 4)
        .map(id -> new Card(id, SECRET))
        .transform(
            new Cards(
                    group -> {
                      if (group.size() == 1) {
                        return group.get(0).row().id() % 2 == 0
                            ? failed(Kind.GROUP_REFUSED)
                            : committed(group);
                      }
                      if (sent.incrementAndGet() == 2) {
                        return failed(Kind.TOO_LARGE)
                            .doFinally(end -> bothSent.tryEmitValue(true).orThrow());
                      }
                      return bothSent.asMono().then(failed(Kind.TOO_LARGE));
                    })
                .groupSize(2)
                .concurrency(2)
                .rows())
        .doOnDiscard(Card.class, discarded::add)
        .subscribe(emitted::add, failures::add);

    assertThat(emitted).extracting(Card::id).containsExactlyInAnyOrder(1, 3);
    assertThat(discarded).isEmpty();
    InsertFailedException second = (InsertFailedException) failures.get(0);
    assertThat(second.rows()).isEqualTo(List.of(new Card(4, SECRET)));
    assertThat(second)
        .hasMessageContaining(
            "1 row was not written of the group that begins with row 3 of the stream");
    assertThat(second.committed()).isEqualTo(2);
    assertThat(second.getSuppressed())
        .singleElement()
        .isInstanceOfSatisfying(
            InsertFailedException.class,
            first -> {
              assertThat(first.rows()).isEqualTo(List.of(new Card(2, SECRET)));
              assertThat(first)
                  .hasMessageContaining(
                      "1 row was not written of the group that begins with row 1");
            });
  }

  /** Text of a database is in the cause and nowhere else. */
  @Test
  void theMessageOfAFailureHasNothingOfItsCause() {
    RuntimeException reason = new IllegalStateException("Row [" + SECRET + "] already exists");
    InsertFailedException failure =
        failure(group -> Mono.error(new GroupFailedException(Kind.GROUP_REFUSED, reason)), 1);

    assertThat(failure.getMessage()).doesNotContain(SECRET).contains("IllegalStateException");
    assertThat(failure).hasCause(reason);
    assertThat(new GroupFailedException(Kind.UNKNOWN, reason).getMessage()).doesNotContain(SECRET);
  }

  @Test
  void aFailureThatWasSerializedHasNoRowsAndSaysTheRest() throws Exception {
    InsertFailedException failure = failure(group -> failed(Kind.UNKNOWN), 1, 2);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    InsertFailedException read;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      read = (InsertFailedException) in.readObject();
    }

    assertThat(failure.rows()).hasSize(2);
    assertThat(read.rows()).isEmpty();
    assertThat(read).hasMessage(failure.getMessage());
    assertThat(read.isOutcomeUnknown()).isTrue();
    assertThat(read.committed()).isEqualTo(failure.committed());
  }
}
