package io.millrace.spanner;

import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcPriority;
import com.google.cloud.spanner.Options.TransactionOption;
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

  private final int maxAttempts;
  private final Duration maxRetryTime;
  private final Duration minBackoff;
  private final Duration maxBackoff;
  private final @Nullable String tag;
  private final @Nullable RpcPriority priority;
  private final List<TransactionOption> clientOptions;

  private SpannerTransactionOptions(Builder builder) {
    this.maxAttempts = builder.maxAttempts;
    this.maxRetryTime = builder.maxRetryTime;
    this.minBackoff = builder.minBackoff;
    this.maxBackoff = builder.maxBackoff;
    this.tag = builder.tag;
    this.priority = builder.priority;
    this.clientOptions = List.copyOf(builder.clientOptions);
  }

  /**
   * The options used where none are given.
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
    builder.maxAttempts = maxAttempts;
    builder.maxRetryTime = maxRetryTime;
    builder.minBackoff = minBackoff;
    builder.maxBackoff = maxBackoff;
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
    return maxAttempts;
  }

  /**
   * Returns how long after the first attempt's start another attempt may start.
   *
   * @return a positive time
   */
  public Duration maxRetryTime() {
    return maxRetryTime;
  }

  /**
   * Returns the largest random wait before the second attempt.
   *
   * @return a positive time
   */
  public Duration minBackoff() {
    return minBackoff;
  }

  /**
   * Returns the largest random wait before any attempt.
   *
   * @return a time of at least {@link #minBackoff}
   */
  public Duration maxBackoff() {
    return maxBackoff;
  }

  /**
   * Returns the transaction tag.
   *
   * @return null if there is none
   */
  public @Nullable String tag() {
    return tag;
  }

  /** What the client is told of these options. */
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

    private int maxAttempts = 100;
    private Duration maxRetryTime = Duration.ofMinutes(1);
    private Duration minBackoff = Duration.ofMillis(20);
    private Duration maxBackoff = Duration.ofMillis(500);
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
      if (attempts < 1) {
        throw new IllegalArgumentException("maxAttempts must be at least 1, was " + attempts);
      }
      this.maxAttempts = attempts;
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
      this.maxRetryTime = positive("maxRetryTime", time);
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
      positive("the smallest backoff", min);
      if (min.compareTo(max) > 0) {
        throw new IllegalArgumentException(
            "the largest backoff must be at least the smallest, " + min + ", was " + max);
      }
      this.minBackoff = min;
      this.maxBackoff = max;
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

    private static Duration positive(String what, Duration time) {
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException(what + " must be more than zero, was " + time);
      }
      return time;
    }
  }
}
