/** The contracts of stores, as JUnit tests to extend. */
@NullMarked
package io.millrace.test.contract;

import org.jspecify.annotations.NullMarked;
