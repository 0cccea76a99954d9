/** Measures the engine beside its peers, in one run on one machine. */
@NullMarked
package io.millrace.benchmark;

import org.jspecify.annotations.NullMarked;
