/**
 * Generates statements that create tables, indexes and sequences without hotspots, in both dialects
 * of Spanner: {@link io.millrace.spanner.ddl.TableDdl}, {@link io.millrace.spanner.ddl.IndexDdl},
 * {@link io.millrace.spanner.ddl.SequenceDdl}. Nothing here accesses a database.
 */
@NullMarked
package io.millrace.spanner.ddl;

import org.jspecify.annotations.NullMarked;
