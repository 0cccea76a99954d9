package io.millrace.databases;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Provides a test class with a new database, as parameters of type {@link R2dbcDatabase} and {@code
 * ConnectionFactory}. If the database is not available, the class is skipped, and a message says
 * how to install it. With {@code -Dspanner.required=true}, {@code -Dpostgres.required=true} or
 * {@code -Dmysql.required=true} (MySQL and MariaDB), it fails instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DatabaseExtension.class)
public @interface DatabaseTest {

  /** The database. */
  DatabaseKind value();

  /**
   * Statements to run in the new database.
   *
   * @return statements in its dialect
   */
  String[] ddl() default {};
}
