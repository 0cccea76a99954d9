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
 * Gives a test class a database of its own on a Spanner emulator, for parameters of the types
 * {@link EmulatorDatabase}, {@link com.google.cloud.spanner.DatabaseClient} and {@link
 * com.google.cloud.spanner.Spanner}. The tests are skipped where there is no emulator, unless the
 * system property {@code spanner.required} is true: then they fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("spanner")
@ExtendWith(SpannerExtension.class)
public @interface SpannerTest {

  /**
   * The dialect of the database.
   *
   * @return GoogleSQL unless set
   */
  Dialect dialect() default Dialect.GOOGLE_STANDARD_SQL;

  /**
   * Statements to run when the database is created, in its dialect.
   *
   * @return none unless set
   */
  String[] ddl() default {};

  /**
   * Whether the emulator aborts transactions at random.
   *
   * @return false unless set
   */
  boolean faults() default false;
}
