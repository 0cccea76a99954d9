/**
 * Unique numbers for reactive programs. A program uses {@link io.millrace.Sequence} and {@link
 * io.millrace.SequenceGenerator}; a database provides {@link io.millrace.SequenceStore}.
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
