package io.millrace.databases;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class with a database of its own, which parameters of type {@link R2dbcDatabase} and
 * {@code ConnectionFactory} get. Where there is none to be had the class is skipped, with a line
 * that says how to get it; or fails, if {@code -Dspanner.required=true} or {@code
 * -Dpostgres.required=true} says so.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DatabaseExtension.class)
public @interface DatabaseTest {

  /**
   * The database.
   *
   * @return its kind
   */
  DatabaseKind value();

  /**
   * What to run in the new database.
   *
   * @return statements in its dialect
   */
  String[] ddl() default {};
}
