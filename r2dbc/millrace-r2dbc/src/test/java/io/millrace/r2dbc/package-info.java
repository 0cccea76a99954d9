@NullMarked
package io.millrace.r2dbc;

import org.jspecify.annotations.NullMarked;
