package io.millrace.spanner;

import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcPriority;
import com.google.cloud.spanner.Options.TransactionOption;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.LogSafe;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Configures how a {@linkplain SpannerTransactions#readWrite transaction} is run and retried.
 * Immutable: each setter returns a changed copy.
 *
 * <p>Only transactions that Spanner aborted, which had no effect, are retried. Before attempt
 * {@code n + 1} the transaction waits for the delay that the server requests, plus a random time of
 * up to {@code min(20 ms * 2^(n-1), 500 ms)}.
 */
public final class SpannerTransactionOptions {

  private static final SpannerTransactionOptions DEFAULTS =
      new SpannerTransactionOptions(ConflictRetry.DEFAULTS, List.of());

  private final ConflictRetry retry;
  private final List<TransactionOption> clientOptions;

  private SpannerTransactionOptions(ConflictRetry retry, List<TransactionOption> clientOptions) {
    this.retry = retry;
    this.clientOptions = clientOptions;
  }

  /** {@return options with every value at its default} */
  public static SpannerTransactionOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets the largest number of attempts. Defaults to 100; 1 means that an aborted transaction is
   * not retried.
   *
   * @param attempts 1 or more
   * @return changed options
   * @throws IllegalArgumentException if {@code attempts} is below 1
   */
  public SpannerTransactionOptions maxAttempts(int attempts) {
    return new SpannerTransactionOptions(retry.withMaxAttempts(attempts), clientOptions);
  }

  /**
   * Sets how long after the start of the first attempt another one may start. Running attempts are
   * not interrupted: use {@code Mono.timeout}, which rolls them back. Defaults to 1 minute.
   *
   * @param time more than zero
   * @return changed options
   * @throws IllegalArgumentException if {@code time} is zero or negative
   */
  public SpannerTransactionOptions maxRetryTime(Duration time) {
    return new SpannerTransactionOptions(retry.withMaxRetryTime(time), clientOptions);
  }

  /**
   * Sets the tag of the transaction, for Spanner's statistics. Defaults to none.
   *
   * @param tag 1 to 50 printable ASCII characters
   * @return changed options
   * @throws IllegalArgumentException if {@code tag} does not have that form
   */
  public SpannerTransactionOptions tag(String tag) {
    if (!tag.matches("[ -~]{1,50}")) {
      throw new IllegalArgumentException(
          "a tag has 1 to 50 printable ASCII characters, was " + LogSafe.quote(tag));
    }
    return clientOptions(Options.tag(tag));
  }

  /**
   * Sets the priority of the transaction's requests. Defaults to Spanner's default, high.
   *
   * @return changed options
   */
  public SpannerTransactionOptions priority(RpcPriority priority) {
    return clientOptions(Options.priority(Objects.requireNonNull(priority, "priority")));
  }

  /**
   * Adds options of the Spanner client, such as {@code Options.maxCommitDelay(...)}. A later option
   * overrides an earlier one of the same kind.
   *
   * @return changed options
   */
  public SpannerTransactionOptions clientOptions(TransactionOption... options) {
    return new SpannerTransactionOptions(
        retry, Stream.concat(clientOptions.stream(), Stream.of(options)).toList());
  }

  ConflictRetry retry() {
    return retry;
  }

  /** These options in the client's form. */
  TransactionOption[] toClientOptions() {
    return clientOptions.toArray(TransactionOption[]::new);
  }
}
