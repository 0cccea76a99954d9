/**
 * For the tests of programs that use sequences: {@link io.millrace.test.InMemorySequenceStore}
 * answers without a database, takes as long as it is told to, and fails when it is told to.
 */
@NullMarked
package io.millrace.test;

import org.jspecify.annotations.NullMarked;
