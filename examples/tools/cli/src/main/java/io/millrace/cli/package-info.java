/** The operator's tools in one runnable jar. */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
