/**
 * Support for tests of programs that use sequences: {@link io.millrace.test.InMemorySequenceStore}
 * is a store in memory with configurable latency and faults.
 */
@NullMarked
package io.millrace.test;

import org.jspecify.annotations.NullMarked;
