/**
 * Shared code of the examples' command lines: options and their errors, durations and tables.
 * Independent of sequences.
 */
@NullMarked
package io.millrace.tools;

import org.jspecify.annotations.NullMarked;
