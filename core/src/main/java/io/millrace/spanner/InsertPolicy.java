package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import reactor.util.retry.RetryBackoffSpec;

/**
 * How groups are written.
 *
 * @param isRepeatable whether the rows of a commit that was not answered may be looked for and
 *     written again
 * @param isolate whether a group that is refused is split to find the rows at fault
 */
record InsertPolicy<T>(
    DatabaseClient client,
    SpannerTransactionOptions transactionOptions,
    GroupBody<T> body,
    WrittenRows writtenRows,
    RetryBackoffSpec retries,
    boolean isRepeatable,
    boolean isolate) {}
