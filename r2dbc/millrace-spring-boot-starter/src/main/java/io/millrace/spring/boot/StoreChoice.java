package io.millrace.spring.boot;

import org.jspecify.annotations.Nullable;

/** Which store is configured. */
enum StoreChoice {
  /** Over Spanner's {@code DatabaseClient} if there is such a bean, else over R2DBC. */
  AUTO,
  /** Over the bean that is Spanner's {@code DatabaseClient}. */
  SPANNER,
  /** A table, over a {@code ConnectionFactory}. */
  R2DBC,
  /** The sequences of a database, over a {@code ConnectionFactory}. */
  NATIVE,
  /** The same, but {@code nextval} returns the first value of a block. */
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
