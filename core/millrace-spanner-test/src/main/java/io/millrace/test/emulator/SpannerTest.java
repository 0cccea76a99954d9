package io.millrace.test.emulator;

import com.google.cloud.spanner.Dialect;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Provides a test class with a separate database on a Spanner emulator, as parameters of the types
 * {@link EmulatorDatabase} and {@link com.google.cloud.spanner.DatabaseClient}. Without an emulator
 * the tests are skipped, or fail if the system property {@code spanner.required} is true.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("spanner")
@ExtendWith(SpannerExtension.class)
public @interface SpannerTest {

  /** {@return the dialect of the database} */
  Dialect dialect() default Dialect.GOOGLE_STANDARD_SQL;

  /** {@return statements to run when the database is created, in its dialect} */
  String[] ddl() default {};

  /** {@return whether the emulator aborts transactions at random} */
  boolean faults() default false;
}
