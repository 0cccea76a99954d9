package io.millrace.advisor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is written about a table and says nothing of its writes. Proposed statements take it over.
 *
 * @param keyRest the parts of its primary key behind the columns that are known
 * @param constraints what is among its columns, and is none
 * @param clauses what follows its primary key
 * @param alterations what is to be altered once the table is there, behind {@code ALTER TABLE} and
 *     the name
 * @param complete whether this is all; a database does not tell all
 */
record TableText(
    List<String> keyRest,
    List<String> constraints,
    List<String> clauses,
    List<String> alterations,
    boolean complete) {

  /** The index of the first clause that begins with a word, or the end. */
  static int placeBefore(String word, List<String> clauses) {
    return (int)
        clauses.stream()
            .takeWhile(clause -> !clause.regionMatches(true, 0, word, 0, word.length()))
            .count();
  }

  /** What a database tells. */
  static TableText ofDatabase(@Nullable String deletionPolicy) {
    return new TableText(
        List.of(),
        List.of(),
        deletionPolicy == null ? List.of() : List.of(deletionPolicy),
        List.of(),
        false);
  }
}
