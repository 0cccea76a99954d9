/** The main job, end to end: orders with generated ids and spread keys, written and read back. */
@NullMarked
package io.millrace.quickstart;

import org.jspecify.annotations.NullMarked;
