/**
 * Kills, pauses and disconnects processes that take values, and checks what their subscribers
 * received.
 *
 * <p>{@link io.millrace.torture.Torture} is the parent, {@link io.millrace.torture.Child} a
 * process. Children write the values that their subscribers receive to {@link
 * io.millrace.torture.Tape}s. At the end a {@link io.millrace.torture.Checker} reads them.
 */
@NullMarked
package io.millrace.torture;

import org.jspecify.annotations.NullMarked;
