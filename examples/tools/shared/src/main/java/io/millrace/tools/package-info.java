/**
 * Shared code of the examples' command lines: options and their errors, progress, files, tables and
 * charts. Independent of sequences.
 */
@NullMarked
package io.millrace.tools;

import org.jspecify.annotations.NullMarked;
