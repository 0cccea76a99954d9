/**
 * Insert pipelines: an operator that gathers rows into groups, writes the groups a few at a time,
 * and emits each row when it is committed. This package has what is common to all databases. What a
 * database provides is in {@link io.millrace.insert.spi}.
 */
@NullMarked
package io.millrace.insert;

import org.jspecify.annotations.NullMarked;
