/** {@code ./millrace advise}: finds hotspots in a schema. */
@NullMarked
package io.millrace.advise;

import org.jspecify.annotations.NullMarked;
