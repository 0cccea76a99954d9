/** Classes that several packages of this project share. Not for users: they may change any time. */
@NullMarked
package io.millrace.internal;

import org.jspecify.annotations.NullMarked;
