@NullMarked
package io.millrace.internal;

import org.jspecify.annotations.NullMarked;
