/**
 * Non-blocking sequences, transactions, inserts and reads in Cloud Spanner.
 *
 * <p>{@link io.millrace.spanner.SpannerSequenceStore} stores counters in a table, {@link
 * io.millrace.spanner.NativeSequenceStore} takes values from Spanner's native sequences, {@link
 * io.millrace.TransactionalSequence} takes values inside a transaction of the application, and
 * {@link io.millrace.spanner.SpannerTransactions} runs such a transaction.
 *
 * <p>For keys without hotspots: {@link io.millrace.spanner.ddl.TableDdl}, {@link
 * io.millrace.spanner.ddl.IndexDdl} and {@link io.millrace.spanner.ddl.SequenceDdl} generate the
 * DDL, {@link io.millrace.spanner.SpannerInserts} writes rows in groups, and {@link
 * io.millrace.spanner.RangeScatter} reads a range over all shards.
 */
@NullMarked
package io.millrace.spanner;

import org.jspecify.annotations.NullMarked;
