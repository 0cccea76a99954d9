package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the rules judge by, and what takes their findings.
 *
 * @param findings takes what is found
 * @param numbers takes numbers of which the schema does not tell whether they are counted up
 * @param times takes columns of which the schema does not tell whether they are times or lengths
 */
record Judging(
    DdlDialect dialect,
    Schema schema,
    Natures natures,
    Consumer<Finding> findings,
    Consumer<String> numbers,
    Consumer<String> times) {

  /** Takes a column of numbers that may be counted up. */
  void maybeCounted(Table table, String column) {
    numbers.accept(table.name() + "." + column);
  }

  /** Takes a column that holds times of events or lengths of time. */
  void maybeTime(Table table, String column) {
    times.accept(table.name() + "." + column);
  }

  /**
   * The first column behind the leading ones with few values, if it rises: the rows with one
   * combination of these values are then inserted at one end. One that may rise is noted.
   */
  Optional<KeyPart> risingBehindFew(Table table, List<KeyPart> parts) {
    Optional<KeyPart> behind =
        parts.stream().dropWhile(part -> natures.kind(table, part) == Kind.FEW).findFirst();
    behind
        .filter(part -> natures.kind(table, part) == Kind.MAYBE_TIME)
        .ifPresent(part -> maybeTime(table, part.column()));
    return behind.filter(part -> natures.kind(table, part).rises());
  }
}
