/** Fails tests that block a thread that must not block. */
@NullMarked
package io.millrace.blocking;

import org.jspecify.annotations.NullMarked;
