/**
 * Sequences whose counters are kept in a database reached through R2DBC, and insert pipelines into
 * such a database.
 *
 * <p>{@link io.millrace.r2dbc.R2dbcSequenceStore} keeps counters in a table, {@link
 * io.millrace.TransactionalSequence} takes values inside the application's transaction, {@link
 * io.millrace.r2dbc.R2dbcInserts} writes rows, and {@link io.millrace.r2dbc.R2dbcDialect} describes
 * the differences between databases.
 */
@NullMarked
package io.millrace.r2dbc;

import org.jspecify.annotations.NullMarked;
