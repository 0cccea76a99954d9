/**
 * The service provider interface for insert pipelines: {@link
 * io.millrace.insert.spi.GroupTransactions} commits groups of rows and looks them up after an
 * answer was lost.
 */
@NullMarked
package io.millrace.insert.spi;

import org.jspecify.annotations.NullMarked;
