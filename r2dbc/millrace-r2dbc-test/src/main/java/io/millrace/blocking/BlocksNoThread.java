package io.millrace.blocking;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each test of the class, and of those nested in it, fails if it blocked one of Reactor's threads
 * for short work or a driver's event loop.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("blockhound")
@ExtendWith(BlockedThreads.class)
public @interface BlocksNoThread {}
