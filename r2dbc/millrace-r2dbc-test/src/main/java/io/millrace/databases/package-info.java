/** Databases for tests, reached through R2DBC: H2, PostgreSQL, and the Spanner emulator. */
@NullMarked
package io.millrace.databases;

import org.jspecify.annotations.NullMarked;
