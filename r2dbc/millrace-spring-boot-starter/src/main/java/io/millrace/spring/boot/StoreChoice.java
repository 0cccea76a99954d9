package io.millrace.spring.boot;

/** Where generators keep their counters. */
enum StoreChoice {
  /** A Spanner table, through a {@code DatabaseClient} bean. */
  SPANNER,
  /** A table, through a {@code ConnectionFactory} bean. */
  R2DBC,
  /** Native sequences of a database, through a {@code ConnectionFactory} bean. */
  NATIVE,
  /** Native sequences whose {@code nextval} returns the first value of a block. */
  NATIVE_POOLED_LO
}
