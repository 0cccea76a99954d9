/** Compares the engine with its peers, in one run on one machine. */
@NullMarked
package io.millrace.benchmark;

import org.jspecify.annotations.NullMarked;
