/**
 * The performance tool of Google's guide "Sequence generation in Spanner", for the generators of
 * this project. It measures values per second, and how long a client waits for one.
 */
@NullMarked
package io.millrace.perf;

import org.jspecify.annotations.NullMarked;
