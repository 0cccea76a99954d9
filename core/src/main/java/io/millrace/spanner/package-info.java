/**
 * Sequences in Cloud Spanner: {@link io.millrace.spanner.SpannerSequenceStore} keeps counters in a
 * table, {@link io.millrace.spanner.TransactionalSequence} takes values inside a transaction of the
 * application, and {@link io.millrace.spanner.SpannerTransactions} runs such a transaction without
 * blocking a thread.
 */
@NullMarked
package io.millrace.spanner;

import org.jspecify.annotations.NullMarked;
