/**
 * Which process reserved which values: a ledger that a store writes together with each reservation,
 * and {@link io.millrace.ledger.SequenceAudit}, which answers questions from it.
 */
@NullMarked
package io.millrace.ledger;

import org.jspecify.annotations.NullMarked;
