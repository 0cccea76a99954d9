package io.millrace.advisor;

import java.util.List;

/**
 * Columns that refer to the key of another table.
 *
 * @param columns the columns, in the order of the other table's key
 * @param table the other table
 */
record ForeignKey(List<String> columns, String table) {}
