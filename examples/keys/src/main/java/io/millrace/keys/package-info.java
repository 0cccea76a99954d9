/**
 * Key designs without hotspots. Each has a table, a pipeline that writes it, and the reads that it
 * serves, in GoogleSQL and in PostgreSQL. The page docs/keys.md helps to choose one.
 */
@NullMarked
package io.millrace.keys;

import org.jspecify.annotations.NullMarked;
