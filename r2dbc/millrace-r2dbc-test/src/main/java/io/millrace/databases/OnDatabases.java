package io.millrace.databases;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a test class on several databases, each with an instance of its own. Methods with {@code
 * BeforeParameterizedClassInvocation} and {@code AfterParameterizedClassInvocation} receive the new
 * {@link R2dbcDatabase} as parameter; it is closed when the tests have run on it. The class is not
 * run on a database that is not available, and a message says how to install it; as for {@link
 * DatabaseTest}, it can be required instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@ArgumentsSource(DatabaseSource.class)
public @interface OnDatabases {

  /**
   * The databases of every run.
   *
   * @return any number
   */
  DatabaseKind[] value();

  /**
   * More databases, for runs that include the tests with the tag {@code long}.
   *
   * @return none by default
   */
  DatabaseKind[] also() default {};
}
