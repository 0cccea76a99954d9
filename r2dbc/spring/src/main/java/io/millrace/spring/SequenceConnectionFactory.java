package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code ConnectionFactory} bean that the store of sequences has for itself, in place of
 * the small pool that is made for it otherwise. It is used as it is, and closed by whoever made it.
 *
 * <p>{@code defaultCandidate = false} keeps it out of the way of the application's own:
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
