@NullMarked
package io.millrace.benchmark;

import org.jspecify.annotations.NullMarked;
