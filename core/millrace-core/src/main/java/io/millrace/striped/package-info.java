/**
 * Sequences spread over several counters, for when one row of the database is the bottleneck:
 * {@link io.millrace.striped.StripedSequenceStore}.
 */
@NullMarked
package io.millrace.striped;

import org.jspecify.annotations.NullMarked;
