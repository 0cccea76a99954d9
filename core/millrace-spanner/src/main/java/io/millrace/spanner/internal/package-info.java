/** What the packages of this artefact share. Not for its users: it changes without notice. */
@NullMarked
package io.millrace.spanner.internal;

import org.jspecify.annotations.NullMarked;
