/**
 * Sequences, transactions, inserts and reads in Cloud Spanner, without a blocked thread.
 *
 * <p>{@link io.millrace.spanner.SpannerSequenceStore} keeps counters in a table, {@link
 * io.millrace.spanner.NativeSequenceStore} takes values from Spanner's own sequences, {@link
 * io.millrace.TransactionalSequence} takes values inside a transaction of the application, and
 * {@link io.millrace.spanner.SpannerTransactions} runs such a transaction.
 *
 * <p>For keys that spread: {@link io.millrace.spanner.ddl.TableDdl}, {@link
 * io.millrace.spanner.ddl.IndexDdl} and {@link io.millrace.spanner.ddl.SequenceDdl} write their
 * DDL, {@link io.millrace.spanner.SpannerInserts} writes rows in groups, and {@link
 * io.millrace.spanner.RangeScatter} reads a range over all shards.
 */
@NullMarked
package io.millrace.spanner;

import org.jspecify.annotations.NullMarked;
