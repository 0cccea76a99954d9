package io.millrace.r2dbc;

import io.millrace.InvalidOptionException;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds an {@link R2dbcNativeSequenceStore}. Each setter validates its argument immediately. */
public final class R2dbcNativeSequenceStoreBuilder {

  final ConnectionFactory connections;
  @Nullable R2dbcDialect dialect;
  boolean pooledLo;

  R2dbcNativeSequenceStoreBuilder(ConnectionFactory connections) {
    this.connections = R2dbcSequenceStoreBuilder.requireOneDatabase(connections);
  }

  /**
   * Makes each value that {@code nextval} returns the first of its block, as Hibernate's optimizer
   * {@code pooled-lo} does. By default it is the last, as with {@code pooled}.
   */
  public R2dbcNativeSequenceStoreBuilder pooledLo() {
    this.pooledLo = true;
    return this;
  }

  /**
   * Sets the dialect of the database. By default, {@link R2dbcDialect#of} detects it when it is
   * first needed.
   *
   * @param dialect the dialect of PostgreSQL, H2 or MariaDB
   * @throws InvalidOptionException if it is another dialect
   */
  public R2dbcNativeSequenceStoreBuilder dialect(R2dbcDialect dialect) {
    if (Objects.requireNonNull(dialect, "dialect").nativeSequences() == null) {
      throw new InvalidOptionException(
          "dialect",
          dialect.name(),
          null,
          "the store " + R2dbcNativeSequenceStore.refusal(dialect));
    }
    this.dialect = dialect;
    return this;
  }

  /** Builds the store. Nothing is sent to the database. */
  public R2dbcNativeSequenceStore build() {
    return new R2dbcNativeSequenceStore(this);
  }
}
