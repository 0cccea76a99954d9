/** What several packages of this project share. Not for its users: it changes without notice. */
@NullMarked
package io.millrace.internal;

import org.jspecify.annotations.NullMarked;
