/**
 * Unique numbers for reactive programs: {@link io.millrace.Sequence} and {@link
 * io.millrace.SequenceGenerator} are what a program uses, {@link io.millrace.SequenceStore} is what
 * a database provides.
 */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
