package io.millrace.spanner;

import com.google.cloud.Timestamp;
import java.util.Optional;

/**
 * A committed transaction.
 *
 * @param result the body's value; empty if the body completed empty
 * @param timestamp when it was committed
 */
record CommittedTransaction<T>(Optional<T> result, Timestamp timestamp) {}
