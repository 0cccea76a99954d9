package io.millrace.r2dbc;

import io.millrace.internal.StoreArguments;

/**
 * What the table of counters and its columns are called, one row a sequence. Checked as {@link
 * Identifiers}.
 *
 * @param table the table
 * @param nameColumn the key column, holding the sequence's name
 * @param valueColumn the column holding the next value
 * @param nameLength how many characters a sequence's name may have
 */
record SequenceNames(String table, String nameColumn, String valueColumn, int nameLength) {

  /** The name itself, if a row can hold it. */
  String checkSequence(String sequence) {
    return StoreArguments.checkName(sequence, nameLength);
  }
}
