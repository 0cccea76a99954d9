/** The tools of an operator in one runnable jar. */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
