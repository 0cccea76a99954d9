/** Meters of generators and row writers, for Micrometer. */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
