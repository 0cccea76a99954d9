/** The main use case, end to end: orders with generated ids and spread keys, written and read. */
@NullMarked
package io.millrace.quickstart;

import org.jspecify.annotations.NullMarked;
