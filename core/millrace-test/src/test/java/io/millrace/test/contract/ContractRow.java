package io.millrace.test.contract;

import org.jspecify.annotations.Nullable;

/**
 * A row of the tables on which the contracts of insert pipelines run. Both tables have the columns
 * {@code stream}, {@code version}, and {@code note} for at most 9 characters, none of them
 * nullable. The key of the table {@code facts} is {@code (stream, version)}, and that of {@code
 * notes} is {@code note}.
 *
 * @param stream at most 200 characters; null only in a row that is never written
 * @param version the number of the row
 * @param note any text; more than 9 characters in a row that the table has to refuse
 */
public record ContractRow(@Nullable String stream, long version, String note) {

  ContractRow withVersion(long number) {
    return new ContractRow(stream, number, note);
  }
}
