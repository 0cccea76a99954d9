package io.millrace.spanner;

import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcPriority;
import com.google.cloud.spanner.Options.TransactionOption;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.ShownText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a {@linkplain SpannerTransactions#readWrite transaction} is run and retried. Immutable.
 *
 * <p>Retries concern transactions that Spanner aborted, which had no effect. Before attempt {@code
 * n + 1} the transaction waits for as long as the server asks, plus a random time of up to {@code
 * min(minBackoff * 2^(n-1), maxBackoff)}.
 */
public final class SpannerTransactionOptions {

  private static final SpannerTransactionOptions DEFAULTS = builder().build();

  private final ConflictRetry retry;
  private final @Nullable String tag;
  private final @Nullable RpcPriority priority;
  private final List<TransactionOption> clientOptions;

  private SpannerTransactionOptions(Builder builder) {
    this.retry = builder.retry;
    this.tag = builder.tag;
    this.priority = builder.priority;
    this.clientOptions = List.copyOf(builder.clientOptions);
  }

  /**
   * The options that are used if none are given.
   *
   * @return every option at its default
   */
  public static SpannerTransactionOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Starts from the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts from these options.
   *
   * @return a new builder with the same settings
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.retry = retry;
    builder.tag = tag;
    builder.priority = priority;
    builder.clientOptions.addAll(clientOptions);
    return builder;
  }

  /**
   * Returns how often the transaction may be attempted.
   *
   * @return 1 or more
   */
  public int maxAttempts() {
    return retry.maxAttempts();
  }

  /**
   * Returns how long after the first attempt's start another attempt may start.
   *
   * @return a positive time
   */
  public Duration maxRetryTime() {
    return retry.maxRetryTime();
  }

  /**
   * Returns the largest random wait before the second attempt.
   *
   * @return a positive time
   */
  public Duration minBackoff() {
    return retry.minBackoff();
  }

  /**
   * Returns the largest random wait before any attempt.
   *
   * @return a time of at least {@link #minBackoff}
   */
  public Duration maxBackoff() {
    return retry.maxBackoff();
  }

  /**
   * Returns the transaction tag.
   *
   * @return null if there is none
   */
  public @Nullable String tag() {
    return tag;
  }

  ConflictRetry retry() {
    return retry;
  }

  /** These options in the client's form. */
  TransactionOption[] toClientOptions() {
    List<TransactionOption> all = new ArrayList<>(clientOptions);
    if (tag != null) {
      all.add(Options.tag(tag));
    }
    if (priority != null) {
      all.add(Options.priority(priority));
    }
    return all.toArray(TransactionOption[]::new);
  }

  /** Collects options; each setter checks its argument when it is called. */
  public static final class Builder {

    private ConflictRetry retry = ConflictRetry.DEFAULTS;
    private @Nullable String tag;
    private @Nullable RpcPriority priority;
    private final List<TransactionOption> clientOptions = new ArrayList<>();

    private Builder() {}

    /**
     * Limits how often the transaction is attempted. Defaults to 100; 1 means that an aborted
     * transaction is not retried.
     *
     * @param attempts 1 or more
     * @return this builder
     * @throws IllegalArgumentException if {@code attempts} is below 1
     */
    public Builder maxAttempts(int attempts) {
      this.retry = retry.withMaxAttempts(attempts);
      return this;
    }

    /**
     * Limits how long after the first attempt's start another attempt may start. An attempt that
     * runs is not cut short: use {@code Mono.timeout} for that, which rolls it back. Defaults to 1
     * minute.
     *
     * @param time more than zero
     * @return this builder
     * @throws IllegalArgumentException if {@code time} is zero or negative
     */
    public Builder maxRetryTime(Duration time) {
      this.retry = retry.withMaxRetryTime(time);
      return this;
    }

    /**
     * Sets the range of the random part of the wait before a retry. Defaults to 20 ms and 500 ms.
     *
     * @param min the largest random wait before the second attempt, more than zero
     * @param max the largest random wait before any attempt, at least {@code min}
     * @return this builder
     * @throws IllegalArgumentException if {@code min} is zero or negative, or above {@code max}
     */
    public Builder backoff(Duration min, Duration max) {
      this.retry = retry.withBackoff(min, max);
      return this;
    }

    /**
     * Tags the transaction, for Spanner's statistics. Defaults to no tag.
     *
     * @param tag 1 to 50 printable ASCII characters
     * @return this builder
     * @throws IllegalArgumentException if {@code tag} is not of that form
     */
    public Builder tag(String tag) {
      if (!tag.matches("[ -~]{1,50}")) {
        throw new IllegalArgumentException(
            "a tag has 1 to 50 printable ASCII characters, was " + ShownText.quote(tag));
      }
      this.tag = tag;
      return this;
    }

    /**
     * Sets the priority of the transaction's requests. Defaults to Spanner's own default, high.
     *
     * @param priority the priority
     * @return this builder
     */
    public Builder priority(RpcPriority priority) {
      this.priority = Objects.requireNonNull(priority, "priority");
      return this;
    }

    /**
     * Adds options of the Spanner client, such as {@code Options.maxCommitDelay(...)}.
     *
     * @param options what to add to the options given so far
     * @return this builder
     */
    public Builder clientOptions(TransactionOption... options) {
      this.clientOptions.addAll(List.of(options));
      return this;
    }

    /**
     * Builds the options.
     *
     * @return the options set so far
     */
    public SpannerTransactionOptions build() {
      return new SpannerTransactionOptions(this);
    }
  }
}
