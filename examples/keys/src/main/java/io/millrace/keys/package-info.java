/**
 * Designs of keys that make no hotspot: each a table, the pipeline that fills it and the reads that
 * it is for, in GoogleSQL and in PostgreSQL. The page docs/keys.md says which to choose.
 */
@NullMarked
package io.millrace.keys;

import org.jspecify.annotations.NullMarked;
