/** Tests against a Spanner emulator. */
@NullMarked
package io.millrace.spanner;

import org.jspecify.annotations.NullMarked;
