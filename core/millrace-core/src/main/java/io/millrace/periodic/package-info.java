/** Gapless numbers that restart with each period: {@link io.millrace.periodic.PeriodicNumbers}. */
@NullMarked
package io.millrace.periodic;

import org.jspecify.annotations.NullMarked;
