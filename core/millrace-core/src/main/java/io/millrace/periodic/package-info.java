/**
 * Numbers that restart with each day, month or year: {@link io.millrace.periodic.PeriodicSequence},
 * and {@link io.millrace.periodic.PeriodicTransactionalSequence} without gaps.
 */
@NullMarked
package io.millrace.periodic;

import org.jspecify.annotations.NullMarked;
