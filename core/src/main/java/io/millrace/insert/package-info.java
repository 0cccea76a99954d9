/**
 * Insert pipelines: an operator that gathers rows into groups, writes the groups a few at a time,
 * and emits each row when it is committed. What is common to all databases is here; {@link
 * io.millrace.insert.GroupWriter} is what a database provides.
 */
@NullMarked
package io.millrace.insert;

import org.jspecify.annotations.NullMarked;
