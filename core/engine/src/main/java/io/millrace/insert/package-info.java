/**
 * Insert pipelines: an operator that gathers rows into groups, writes the groups a few at a time,
 * and emits each row when it is committed. This package has what is common to all databases. A
 * database with transactions provides {@link io.millrace.insert.GroupTransactions}; any other
 * provides {@link io.millrace.insert.GroupWriter}.
 */
@NullMarked
package io.millrace.insert;

import org.jspecify.annotations.NullMarked;
