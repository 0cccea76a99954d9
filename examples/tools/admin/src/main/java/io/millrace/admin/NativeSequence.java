package io.millrace.admin;

import org.jspecify.annotations.Nullable;

/**
 * One of Spanner's own sequences.
 *
 * @param name with its schema if it has one
 * @param start its first counter, before the reversal
 * @param skipFirst the first skipped value, or null
 * @param skipLast the last skipped value, or null
 */
record NativeSequence(
    String name, long start, @Nullable Long skipFirst, @Nullable Long skipLast, long counter) {}
