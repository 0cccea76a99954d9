/**
 * Insert pipelines: an operator that gathers rows into groups, writes the groups a few at a time,
 * and emits each row when it is committed. What is common to all databases is here; {@link
 * io.millrace.insert.GroupTransactions} is what a database with transactions provides, or {@link
 * io.millrace.insert.GroupWriter} any other.
 */
@NullMarked
package io.millrace.insert;

import org.jspecify.annotations.NullMarked;
