package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

/** How the failures of a group are handled, for any database. */
class GroupInsertTest {

  private static final Duration DAY = Duration.ofDays(1);

  /** Answers as the test says, then commits; keeps a log. */
  private static final class Script implements GroupTransactions<Integer, HandWriter.Row> {

    final List<String> log = new ArrayList<>();
    final Deque<RuntimeException> failures = new ArrayDeque<>();

    /** The results of searches for rows; null means that none is found. */
    final Deque<Mono<List<InsertOutcome<Integer>>>> found = new ArrayDeque<>();

    final List<List<Integer>> groups = new ArrayList<>();
    final List<List<Integer>> sent = new ArrayList<>();
    final List<List<Integer>> writtenAgain = new ArrayList<>();
    final List<List<Integer>> lookedForAsExisting = new ArrayList<>();
    final Set<Integer> existing = new HashSet<>();
    int bad = -1;
    Kind kindOfBad = Kind.ROWS_REFUSED;
    boolean writtenOnce = true;
    boolean looking = true;

    Script failing(Kind... kinds) {
      for (Kind kind : kinds) {
        failures.add(new GroupFailedException(kind, new IllegalStateException(kind.name())));
      }
      return this;
    }

    @Override
    public HandWriter.Row prepare(Integer row) {
      return new HandWriter.Row(row);
    }

    @Override
    public Mono<List<Committed<Integer>>> commit(List<HandWriter.Row> group) {
      List<Integer> rows = group.stream().map(HandWriter.Row::row).toList();
      log.add("commit" + rows);
      groups.add(rows);
      if (!failures.isEmpty()) {
        return Mono.error(failures.poll());
      }
      return rows.contains(bad) || rows.stream().anyMatch(existing::contains)
          ? Mono.error(new GroupFailedException(kindOfBad, new Exception("bad")))
          : Mono.just(rows.stream().map(row -> new Committed<>(row, null)).toList());
    }

    @Override
    public Mono<List<Committed<Integer>>> commitAgain(
        List<HandWriter.Row> group, List<HandWriter.Row> sent) {
      writtenAgain.add(sent.stream().map(HandWriter.Row::row).toList());
      return commit(group);
    }

    @Override
    public Mono<List<InsertOutcome<Integer>>> find(
        List<HandWriter.Row> group, List<HandWriter.Row> sent) {
      log.add("find");
      this.sent.add(sent.stream().map(HandWriter.Row::row).toList());
      return found.isEmpty() ? Mono.empty() : found.poll();
    }

    @Override
    public Mono<BitSet> existing(List<HandWriter.Row> group, Throwable reason) {
      if (!existing.isEmpty()) {
        log.add("existing");
        lookedForAsExisting.add(group.stream().map(HandWriter.Row::row).toList());
      }
      BitSet indexes = new BitSet();
      for (int i = 0; i < group.size(); i++) {
        indexes.set(i, existing.contains(group.get(i).row()));
      }
      return looking ? Mono.just(indexes) : Mono.error(new IllegalStateException("no connection"));
    }

    @Override
    public boolean isWrittenOnce(List<HandWriter.Row> group) {
      return writtenOnce;
    }
  }

  private static List<InsertOutcome<Integer>> run(Script script, int rows, boolean isolate) {
    return run(script, rows, isolate, new BitSet());
  }

  private static List<InsertOutcome<Integer>> run(
      Script script, int rows, boolean isolate, BitSet joined) {
    List<InsertOutcome<Integer>> outcomes = runAny(script, rows, isolate, joined);
    assertThat(outcomes)
        .extracting(InsertOutcome::row)
        .isEqualTo(IntStream.range(0, rows).boxed().toList());
    return outcomes;
  }

  private static List<InsertOutcome<Integer>> runAny(
      Script script, int rows, boolean isolate, BitSet joined) {
    GroupInsert.Writer<Integer, HandWriter.Row> writer =
        new GroupInsert.Writer<>(
            script,
            TimeLimit.NONE,
            Retry.backoff(3, Duration.ofHours(1))
                .onRetryExhaustedThrow((spec, last) -> last.failure()),
            isolate);
    List<InsertOutcome<Integer>> outcomes = new ArrayList<>();
    StepVerifier.withVirtualTime(
            () ->
                writer.write(
                    IntStream.range(0, rows).mapToObj(HandWriter.Row::new).toList(), joined))
        .thenAwait(DAY)
        .consumeNextWith(outcomes::addAll)
        .expectComplete()
        .verify(Duration.ofSeconds(10));
    return outcomes;
  }

  private static void assertAll(List<InsertOutcome<Integer>> outcomes, Class<?> kind) {
    assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(kind));
  }

  private static Throwable reason(InsertOutcome<Integer> outcome) {
    return outcome instanceof Rejected<Integer> rejected
        ? rejected.reason()
        : ((Unknown<Integer>) outcome).reason();
  }

  private static List<HandWriter.Row> numbered(int first) {
    return List.of(new HandWriter.Row(first), new HandWriter.Row(first + 1));
  }

  private static GroupFailedException lost(List<HandWriter.Row> sent) {
    return new GroupFailedException(Kind.IN_DOUBT, new IllegalStateException("lost"), sent);
  }

  /** Rows 0 and 1, which have the numbers 10 and 11 in the first transaction, then 20 and 21. */
  @Test
  void rowsWithNumbersAreLookedForAsTheLastCommitInDoubtWroteThem() {
    Script script = new Script();
    script.failures.add(lost(numbered(10)));
    script.failures.add(new GroupFailedException(Kind.TRANSIENT, new Exception("away")));
    script.failures.add(lost(numbered(20)));
    script.found.add(Mono.empty());
    script.found.add(Mono.empty());
    script.found.add(
        Mono.just(List.of(HandWriter.committed(20), new Unknown<>(21, new Exception()))));
    List<InsertOutcome<Integer>> outcomes = runAny(script, 2, true, new BitSet());
    assertThat(outcomes)
        .as("a row that is not known to be written is the one that came")
        .extracting(InsertOutcome::row)
        .containsExactly(20, 1);
    assertThat(outcomes).hasExactlyElementsOfTypes(Committed.class, Unknown.class);
    assertThat(script.sent).containsExactly(List.of(10, 11), List.of(10, 11), List.of(20, 21));
    assertThat(script.writtenAgain)
        .as("what the rows written again are compared with")
        .containsExactly(List.of(10, 11), List.of(10, 11));
  }

  @Test
  void rowsThatWouldBeWrittenAgainWithOtherKeysAreUnknownAndTheLostAnswerIsReported() {
    Script script = new Script();
    script.failures.add(lost(numbered(10)));
    script.failing(Kind.UNKNOWN);
    List<InsertOutcome<Integer>> outcomes = run(script, 2, true);
    assertAll(outcomes, Unknown.class);
    assertThat(reason(outcomes.get(0))).hasMessage("UNKNOWN");
    assertThat(reason(outcomes.get(0)).getSuppressed())
        .singleElement()
        .satisfies(suppressed -> assertThat(suppressed).hasMessage("lost"));
    assertThat(script.log).containsExactly("commit[0, 1]", "find", "commit[0, 1]");
  }

  private static GroupFailedException faults(@Nullable String... ofRows) {
    return GroupFailedException.ofRows(
        Stream.of(ofRows).map(each -> each == null ? null : new Exception(each)).toList());
  }

  @Test
  void aFaultIsKeptIfTheRowsByWhichItWasJudgedAreCommitted() {
    Script script = new Script();
    script.failures.add(faults(null, "first", null, "second"));
    List<InsertOutcome<Integer>> outcomes = run(script, 4, true);
    assertThat(outcomes)
        .hasExactlyElementsOfTypes(
            Committed.class, Rejected.class, Committed.class, Rejected.class);
    assertThat(reason(outcomes.get(1))).hasMessage("first");
    assertThat(reason(outcomes.get(3))).hasMessage("second");
    assertThat(script.log).containsExactly("commit[0, 1, 2, 3]", "commit[0, 2]");
  }

  @Test
  void aRowWhoseFaultDependsOnARowThatIsNotCommittedIsTriedAgain() {
    Script script = new Script();
    script.failures.add(faults(null, "judged by row 0"));
    script.failing(Kind.TOO_LARGE);
    List<InsertOutcome<Integer>> outcomes = run(script, 2, true);
    assertThat(outcomes).hasExactlyElementsOfTypes(Rejected.class, Committed.class);
    assertThat(reason(outcomes.get(0))).hasMessage("TOO_LARGE");
    assertThat(script.log).containsExactly("commit[0, 1]", "commit[0]", "commit[1]");
  }

  @Test
  void aRowWhoseFaultDependsOnARowThatIsRejectedWithItsCallIsTriedAgain() {
    Script script = new Script();
    script.failures.add(faults(null, "own", "judged by row 0"));
    script.failures.add(faults(null, "own"));
    BitSet joined = new BitSet();
    joined.set(1);
    List<InsertOutcome<Integer>> outcomes = run(script, 3, true, joined);
    assertThat(outcomes).hasExactlyElementsOfTypes(Rejected.class, Rejected.class, Committed.class);
    assertThat(reason(outcomes.get(0))).hasMessage("own");
    assertThat(script.log).containsExactly("commit[0, 1, 2]", "commit[0, 1]", "commit[2]");
  }

  @Test
  void callsThatEachHaveARowAtFaultAreWrittenAlone() {
    Script script = new Script();
    BitSet joined = new BitSet();
    for (int row = 1; row < 6; row += 2) {
      joined.set(row);
    }
    script.failures.add(faults(null, "first", null, "second", null, "third"));
    for (int call = 0; call < 3; call++) {
      script.failures.add(faults(null, "own"));
    }
    assertAll(run(script, 6, true, joined), Rejected.class);
    assertThat(script.log)
        .containsExactly(
            "commit[0, 1, 2, 3, 4, 5]", "commit[0, 1]", "commit[2, 3]", "commit[4, 5]");
  }

  @Test
  void looksUpOnceRowsWhoseLookUpCannotTell() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    Exception spelling = new Exception("spelled differently");
    script.found.add(Mono.error(new GroupFailedException(Kind.UNKNOWN, spelling)));
    List<InsertOutcome<Integer>> outcomes = run(script, 2, true);
    assertAll(outcomes, Unknown.class);
    assertThat(outcomes).allSatisfy(outcome -> assertThat(reason(outcome)).isSameAs(spelling));
    assertThat(script.log).containsExactly("commit[0, 1]", "find");
  }

  @Test
  void onlyTheCallsWithRowsThatCannotBeLookedUpAreUnknown() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    BitSet joined = new BitSet();
    joined.set(2);
    script.found.add(Mono.error(faults(null, "no number", null, null)));
    script.found.add(Mono.just(List.of(HandWriter.committed(0), HandWriter.committed(3))));
    script.found.add(Mono.error(faults("no number", null)));
    List<InsertOutcome<Integer>> outcomes = run(script, 4, true, joined);
    assertThat(outcomes)
        .hasExactlyElementsOfTypes(Committed.class, Unknown.class, Unknown.class, Committed.class);
    assertThat(reason(outcomes.get(1))).hasMessage("no number");
    assertThat(script.sent).containsExactly(List.of(0, 1, 2, 3), List.of(0, 3), List.of(1, 2));
    assertThat(script.groups).hasSize(1);
  }

  @Test
  void rowsThatCannotBeLookedUpAreWrittenAgainOnceTheOthersAre() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    script.found.add(Mono.error(faults("no number", null)));
    assertAll(run(script, 2, true), Committed.class);
    assertThat(script.log)
        .containsExactly("commit[0, 1]", "find", "find", "commit[1]", "commit[0]");
  }

  @Test
  void aFailureThatMayPassIsTriedAgainAsOftenAsAllowed() {
    Script twice = new Script().failing(Kind.TRANSIENT, Kind.TRANSIENT);
    assertAll(run(twice, 2, false), Committed.class);
    assertThat(twice.log).containsExactly("commit[0, 1]", "commit[0, 1]", "commit[0, 1]");

    Script always =
        new Script().failing(Kind.TRANSIENT, Kind.TRANSIENT, Kind.TRANSIENT, Kind.TRANSIENT);
    List<InsertOutcome<Integer>> outcomes = run(always, 2, true);
    assertAll(outcomes, Rejected.class);
    assertThat(reason(outcomes.get(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("TRANSIENT");
    assertThat(always.log).hasSize(4);
  }

  /** Calls of 1 to 5 rows, with each row in turn the one at fault. */
  @ParameterizedTest
  @EnumSource(names = {"ROWS_REFUSED", "TOO_LARGE"})
  void rowsThatBelongTogetherAreNeverDividedAndShareTheirFate(Kind kind) {
    for (int sizes = 11_111; sizes < 55_555; sizes += 1_234) {
      BitSet joined = new BitSet();
      int rows = 0;
      List<List<Integer>> calls = new ArrayList<>();
      for (char digit : String.valueOf(sizes).toCharArray()) {
        int size = 1 + (digit - '0') % 5;
        joined.set(rows + 1, rows + size);
        calls.add(IntStream.range(rows, rows + size).boxed().toList());
        rows += size;
      }
      for (int bad = 0; bad < rows; bad++) {
        Script script = new Script();
        script.bad = bad;
        script.kindOfBad = kind;
        List<InsertOutcome<Integer>> outcomes = run(script, rows, true, joined);
        for (List<Integer> call : calls) {
          assertAll(
              outcomes.subList(call.get(0), call.get(0) + call.size()),
              call.contains(bad) ? Rejected.class : Committed.class);
          assertThat(script.groups)
              .allSatisfy(
                  group ->
                      assertThat(call)
                          .satisfiesAnyOf(
                              any -> assertThat(group).containsAll(any),
                              any -> assertThat(group).doesNotContainAnyElementsOf(any)));
        }
      }
    }
  }

  @Test
  void findsARowAtFaultByHalvesOrRejectsTheGroup() {
    Script isolating = new Script().failing(Kind.ROWS_REFUSED);
    isolating.bad = 3;
    List<InsertOutcome<Integer>> outcomes = run(isolating, 4, true);
    assertAll(outcomes.subList(0, 3), Committed.class);
    assertThat(outcomes.get(3)).isInstanceOf(Rejected.class);
    assertThat(isolating.log)
        .containsExactly(
            "commit[0, 1, 2, 3]", "commit[0, 1]", "commit[2, 3]", "commit[2]", "commit[3]");

    Script whole = new Script().failing(Kind.ROWS_REFUSED);
    assertAll(run(whole, 4, false), Rejected.class);
    assertThat(whole.log).hasSize(1);
  }

  @Test
  void rowsWhoseKeysExistAreWrittenAloneAndAllOthersTogether() {
    Script script = new Script();
    script.existing.addAll(List.of(1, 3));
    List<InsertOutcome<Integer>> outcomes = run(script, 5, true);
    assertThat(outcomes)
        .hasExactlyElementsOfTypes(
            Committed.class, Rejected.class, Committed.class, Rejected.class, Committed.class);
    assertThat(script.log)
        .containsExactly(
            "commit[0, 1, 2, 3, 4]", "existing", "commit[0, 2, 4]", "commit[1]", "commit[3]");
  }

  @Test
  void rowsWithNumbersAreLookedForByTheKeysThatTheDatabaseRefused() {
    Script script = new Script();
    script.existing.add(11);
    script.failures.add(
        new GroupFailedException(Kind.ROWS_REFUSED, new Exception("exists"), numbered(10)));
    assertAll(run(script, 2, true), Committed.class);
    assertThat(script.lookedForAsExisting).containsExactly(List.of(10, 11));
    assertThat(script.log).containsExactly("commit[0, 1]", "existing", "commit[0]", "commit[1]");
  }

  @Test
  void aCallOneOfWhoseRowsExistsIsWrittenAloneAsAWhole() {
    Script script = new Script();
    script.existing.add(2);
    BitSet joined = new BitSet();
    joined.set(2);
    List<InsertOutcome<Integer>> outcomes = run(script, 4, true, joined);
    assertThat(outcomes)
        .hasExactlyElementsOfTypes(
            Committed.class, Rejected.class, Rejected.class, Committed.class);
    assertThat(script.log)
        .containsExactly("commit[0, 1, 2, 3]", "existing", "commit[0, 3]", "commit[1, 2]");
  }

  @Test
  void aGroupOfRowsThatAllExistEndsAndOneThatCannotBeLookedForIsSplit() {
    Script all = new Script();
    all.existing.addAll(List.of(0, 1, 2));
    assertAll(run(all, 3, true), Rejected.class);
    assertThat(all.log)
        .containsExactly("commit[0, 1, 2]", "existing", "commit[0]", "commit[1]", "commit[2]");

    Script away = new Script();
    away.looking = false;
    away.existing.add(1);
    assertThat(run(away, 2, true)).hasExactlyElementsOfTypes(Committed.class, Rejected.class);
    assertThat(away.log).containsExactly("commit[0, 1]", "existing", "commit[0]", "commit[1]");

    Script whole = new Script();
    whole.existing.add(1);
    assertAll(run(whole, 2, false), Rejected.class);
    assertThat(whole.log).as("nobody asks which").containsExactly("commit[0, 1]");
  }

  @Test
  void aGroupThatIsTooLargeIsSplitInAnyCase() {
    Script script = new Script().failing(Kind.TOO_LARGE);
    assertAll(run(script, 2, false), Committed.class);
    assertThat(script.log).containsExactly("commit[0, 1]", "commit[0]", "commit[1]");
    assertAll(run(new Script().failing(Kind.TOO_LARGE), 1, false), Rejected.class);
  }

  @Test
  void aRefusalOfTheGroupIsNotSplit() {
    Script script = new Script().failing(Kind.GROUP_REFUSED);
    assertAll(run(script, 4, true), Rejected.class);
    assertThat(script.log).hasSize(1);
  }

  @Test
  void rowsThatCannotBeLookedForAreUnknown() {
    Script script = new Script().failing(Kind.UNKNOWN);
    assertAll(run(script, 4, true), Unknown.class);
    assertThat(script.log).hasSize(1);
  }

  @Test
  void afterALostAnswerRowsThatAreThereAreNotWrittenAgain() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    script.found.add(Mono.just(List.of(new Committed<>(0, null))));
    assertAll(run(script, 1, false), Committed.class);
    assertThat(script.log).containsExactly("commit[0]", "find");
  }

  @Test
  void afterALostAnswerRowsThatAreMissingAreWrittenAgain() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    assertAll(run(script, 1, false), Committed.class);
    assertThat(script.log).containsExactly("commit[0]", "find", "commit[0]");
  }

  @Test
  void aLookThatFailsIsRepeatedAndInTheEndTheRowsAreUnknown() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    for (int i = 0; i < 3; i++) {
      script.found.add(Mono.error(new IllegalStateException("look " + i)));
    }
    List<InsertOutcome<Integer>> outcomes = run(script, 2, true);
    assertAll(outcomes, Unknown.class);
    assertThat(reason(outcomes.get(0))).hasMessage("look 2");
    assertThat(script.log).containsExactly("commit[0, 1]", "find", "find", "find");
  }

  @Test
  void aRefusalOfRowsInDoubtLooksAgain() {
    Script there = new Script().failing(Kind.IN_DOUBT, Kind.ROWS_REFUSED);
    there.found.add(Mono.empty());
    there.found.add(Mono.just(List.of(new Committed<>(0, null))));
    assertAll(run(there, 1, false), Committed.class);
    assertThat(there.log).containsExactly("commit[0]", "find", "commit[0]", "find");
  }

  /** The look-up misses a row whose key the database has changed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsThatAreMissingAndRefusedBehindALostCommitAreUnknown(boolean isolate) {
    Script script = new Script().failing(Kind.IN_DOUBT);
    script.existing.addAll(List.of(0, 1));
    List<InsertOutcome<Integer>> outcomes = run(script, 2, isolate);
    assertAll(outcomes, Unknown.class);
    assertThat(outcomes).allSatisfy(outcome -> assertThat(reason(outcome)).hasMessage("bad"));
  }

  @Test
  void aRowThatIsMissingAndRefusedIsUnknownThoughAnotherOfItsGroupIsFound() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    script.bad = 0;
    for (int miss = 0; miss < 4; miss++) {
      script.found.add(Mono.empty());
    }
    script.found.add(Mono.just(List.of(new Committed<>(1, null))));
    assertThat(run(script, 2, true)).hasExactlyElementsOfTypes(Unknown.class, Committed.class);
    assertThat(script.groups).containsExactly(List.of(0, 1), List.of(0, 1), List.of(0));
    assertThat(script.sent)
        .containsExactly(List.of(0, 1), List.of(0, 1), List.of(0), List.of(0), List.of(1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aRowIsRejectedOnceALaterCommitOfItsGroupHasSucceeded(int bad) {
    Script script = new Script().failing(Kind.IN_DOUBT);
    script.bad = bad;
    List<InsertOutcome<Integer>> outcomes = run(script, 3, true);
    for (int row = 0; row < 3; row++) {
      assertThat(outcomes.get(row)).isInstanceOf(row == bad ? Rejected.class : Committed.class);
    }
  }

  @Test
  void aRefusedRowStaysUnknownWhereRowsMayBeReplaced() {
    Script script = new Script().failing(Kind.IN_DOUBT);
    script.writtenOnce = false;
    script.bad = 1;
    assertThat(run(script, 2, true)).hasExactlyElementsOfTypes(Committed.class, Unknown.class);
  }

  @Test
  void aPartWhoseOwnCommitIsInDoubtIsUnknownIfItIsRefused() {
    Script script = new Script().failing(Kind.ROWS_REFUSED, Kind.IN_DOUBT, Kind.ROWS_REFUSED);
    assertThat(run(script, 2, true)).hasExactlyElementsOfTypes(Unknown.class, Committed.class);
    assertThat(script.log)
        .containsExactly("commit[0, 1]", "commit[0]", "find", "commit[0]", "find", "commit[1]");
  }

  @ParameterizedTest
  @EnumSource(names = {"GROUP_REFUSED", "ROWS_REFUSED", "TOO_LARGE"})
  void anyOtherRefusalLeavesTheDoubt(Kind kind) {
    Script script = new Script().failing(Kind.IN_DOUBT, kind);
    assertAll(run(script, 1, true), Unknown.class);
    assertThat(script.log).containsExactly("commit[0]", "find", "commit[0]", "find");
  }

  @Test
  void afterALostAnswerAnOutageLeavesTheDoubt() {
    Script script =
        new Script().failing(Kind.IN_DOUBT, Kind.TRANSIENT, Kind.TRANSIENT, Kind.TRANSIENT);
    assertAll(run(script, 1, false), Unknown.class);
  }

  @Test
  void anErrorThatTheDatabaseDoesNotExplainEndsInUnknownRows() {
    Script script = new Script();
    script.failures.add(new IllegalStateException("unexplained"));
    List<InsertOutcome<Integer>> outcomes =
        Objects.requireNonNull(
            Flux.just(1)
                .transform(new TestInserts(script).outcomes())
                .collectList()
                .block(Duration.ofSeconds(10)));
    assertThat(outcomes).hasSize(1);
    assertAll(outcomes, Unknown.class);
    assertThat(script.log).hasSize(1);
  }
}
