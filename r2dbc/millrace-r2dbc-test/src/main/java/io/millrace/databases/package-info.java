/** Databases for tests, reached through R2DBC, and a network that fails. */
@NullMarked
package io.millrace.databases;

import org.jspecify.annotations.NullMarked;
