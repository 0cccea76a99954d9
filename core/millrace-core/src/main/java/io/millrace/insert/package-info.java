/**
 * Insert pipelines, which collect rows into groups, write a few groups at a time, and emit each row
 * when it is committed. The service provider interface for databases is in {@link
 * io.millrace.insert.spi}.
 */
@NullMarked
package io.millrace.insert;

import org.jspecify.annotations.NullMarked;
