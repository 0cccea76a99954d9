package io.millrace.spring.boot;

import org.jspecify.annotations.Nullable;

/** Which store is configured. */
enum StoreChoice {
  /** Spanner if there is a {@code DatabaseClient} bean, otherwise a table reached through R2DBC. */
  AUTO,
  /** A Spanner table, through a {@code DatabaseClient} bean. */
  SPANNER,
  /** A table, through a {@code ConnectionFactory} bean. */
  R2DBC,
  /** Native sequences of a database, through a {@code ConnectionFactory} bean. */
  NATIVE,
  /** Native sequences whose {@code nextval} returns the first value of a block. */
  NATIVE_POOLED_LO;

  /** Whether this store is configured if {@code millrace.store} has that value. */
  boolean isChosenBy(@Nullable StoreChoice value) {
    return switch (this) {
      case SPANNER, R2DBC -> value == this || value == AUTO;
      case NATIVE -> value == this || value == NATIVE_POOLED_LO;
      case AUTO, NATIVE_POOLED_LO -> false;
    };
  }
}
