/**
 * Non-blocking sequences, transactions and inserts in Cloud Spanner.
 *
 * <p>{@link io.millrace.spanner.SpannerSequenceStore} stores counters in a table, {@link
 * io.millrace.spanner.NativeSequenceStore} takes values from Spanner's native sequences, {@link
 * io.millrace.TransactionalSequence} takes values inside a transaction of the application, and
 * {@link io.millrace.spanner.SpannerTransactions} runs such a transaction.
 *
 * <p>{@link io.millrace.spanner.SpannerInserts} writes rows in groups, and {@link
 * io.millrace.spanner.SpannerKeys} makes the client's keys of those of {@code io.millrace.key}.
 */
@NullMarked
package io.millrace.spanner;

import org.jspecify.annotations.NullMarked;
