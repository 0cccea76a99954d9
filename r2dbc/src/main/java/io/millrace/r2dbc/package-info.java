/**
 * Sequences whose counter is kept in a database reached through R2DBC.
 *
 * <p>{@link io.millrace.r2dbc.R2dbcSequenceStore} keeps counters in a table, {@link
 * io.millrace.r2dbc.TransactionalSequence} takes values inside a transaction of the application,
 * and {@link io.millrace.r2dbc.R2dbcDialect} says what differs between databases.
 */
@NullMarked
package io.millrace.r2dbc;

import org.jspecify.annotations.NullMarked;
