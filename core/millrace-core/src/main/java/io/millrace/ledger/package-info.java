/**
 * The ledger, which records the process of each reservation, and its evaluation by {@link
 * io.millrace.ledger.SequenceAudit}.
 */
@NullMarked
package io.millrace.ledger;

import org.jspecify.annotations.NullMarked;
