package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks a {@code ConnectionFactory} bean that only the sequence store uses, in place of the driver
 * beneath the application's pool. A pool is used as it is, and the application closes it.
 *
 * <p>With {@code defaultCandidate = false}, it is not injected in place of the application's
 * factory:
 *
 * <pre>{@code
 * @Bean(defaultCandidate = false)
 * @SequenceConnectionFactory
 * ConnectionFactory sequenceConnections() { ... }
 * }</pre>
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
public @interface SequenceConnectionFactory {}
