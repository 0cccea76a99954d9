/**
 * What the command lines of the examples have in common: options and refusals, progress, files,
 * tables and charts. Knows nothing of sequences.
 */
@NullMarked
package io.millrace.tools;

import org.jspecify.annotations.NullMarked;
