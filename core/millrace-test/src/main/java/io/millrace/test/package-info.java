/**
 * For the tests of programs that use sequences: {@link io.millrace.test.InMemorySequenceStore}
 * answers without a database. Tests set how long an answer takes, and which requests fail.
 */
@NullMarked
package io.millrace.test;

import org.jspecify.annotations.NullMarked;
