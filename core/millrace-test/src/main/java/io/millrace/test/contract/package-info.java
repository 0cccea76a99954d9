/** What every store of sequences must do, as tests to extend. */
@NullMarked
package io.millrace.test.contract;

import org.jspecify.annotations.NullMarked;
