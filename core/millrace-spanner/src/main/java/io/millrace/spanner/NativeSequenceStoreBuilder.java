package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures a {@link NativeSequenceStore}. */
public final class NativeSequenceStoreBuilder {

  final DatabaseClient client;
  @Nullable Dialect dialect;
  SpannerTransactionOptions options = SpannerTransactionOptions.defaults();

  NativeSequenceStoreBuilder(DatabaseClient client) {
    this.client = Objects.requireNonNull(client, "client");
  }

  /**
   * Sets the dialect of the database. By default, the database is queried for it when it is first
   * needed.
   */
  public NativeSequenceStoreBuilder dialect(Dialect dialect) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    return this;
  }

  /**
   * Sets the limits and the priority of the store's transactions. Defaults to {@link
   * SpannerTransactionOptions#defaults}. The store replaces the tag by one with the sequence's
   * name.
   */
  public NativeSequenceStoreBuilder transactionOptions(SpannerTransactionOptions options) {
    this.options = Objects.requireNonNull(options, "options");
    return this;
  }

  /** Builds the store without sending a request. */
  public NativeSequenceStore build() {
    return new NativeSequenceStore(this);
  }
}
