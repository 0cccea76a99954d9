/**
 * Designs of keys without hotspots. Each has a table, the pipeline that fills it, and the reads
 * that it is for, in GoogleSQL and in PostgreSQL. The page docs/keys.md helps to choose one.
 */
@NullMarked
package io.millrace.keys;

import org.jspecify.annotations.NullMarked;
