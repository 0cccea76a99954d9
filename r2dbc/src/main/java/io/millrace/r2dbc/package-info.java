/** Sequences whose counter is kept in a database reached through R2DBC. */
@NullMarked
package io.millrace.r2dbc;

import org.jspecify.annotations.NullMarked;
