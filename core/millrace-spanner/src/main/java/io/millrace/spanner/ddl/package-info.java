/**
 * The statements that create tables, indexes and sequences for keys that spread, in both dialects
 * of Spanner: {@link io.millrace.spanner.ddl.TableDdl}, {@link io.millrace.spanner.ddl.IndexDdl},
 * {@link io.millrace.spanner.ddl.SequenceDdl}. Nothing here touches a database.
 */
@NullMarked
package io.millrace.spanner.ddl;

import org.jspecify.annotations.NullMarked;
