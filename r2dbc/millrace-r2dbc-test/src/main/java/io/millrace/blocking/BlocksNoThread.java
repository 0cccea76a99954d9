package io.millrace.blocking;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Makes each test of the class and its nested classes fail if it blocks a non-blocking Reactor
 * thread or a driver's event loop.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("blockhound")
@ExtendWith(BlockedThreads.class)
public @interface BlocksNoThread {}
