package io.millrace.r2dbc;

import io.millrace.internal.StoreArguments;

/**
 * The names of the table of counters and of its columns. The table has one row for each sequence.
 * {@link NameRule} has checked the names.
 *
 * @param table the table
 * @param nameColumn the key column, holding the sequence's name
 * @param valueColumn the column holding the next value
 * @param nameLength how many characters a sequence's name may have
 */
record SequenceNames(String table, String nameColumn, String valueColumn, int nameLength) {

  /** Returns the name if the key column can hold it, else throws. */
  String checkSequence(String sequence) {
    return StoreArguments.checkName(sequence, nameLength);
  }
}
