/** A dialect that a user adds, from outside the library. */
@NullMarked
package io.millrace.dialect;

import org.jspecify.annotations.NullMarked;
