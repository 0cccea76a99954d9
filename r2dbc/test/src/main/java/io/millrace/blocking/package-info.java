/** Tells tests of threads that were blocked and must not be. */
@NullMarked
package io.millrace.blocking;

import org.jspecify.annotations.NullMarked;
