@NullMarked
package io.millrace.torture;

import org.jspecify.annotations.NullMarked;
