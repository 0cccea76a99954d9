package io.millrace.spring.boot;

/** Which store is configured. */
enum StoreChoice {
  /** Over Spanner's {@code DatabaseClient} if there is such a bean, else over R2DBC. */
  AUTO,
  /** Over the bean that is Spanner's {@code DatabaseClient}. */
  SPANNER,
  /** Over a {@code ConnectionFactory}. */
  R2DBC
}
