/** The administration tool: sequences of a database on the command line. */
@NullMarked
package io.millrace.admin;

import org.jspecify.annotations.NullMarked;
