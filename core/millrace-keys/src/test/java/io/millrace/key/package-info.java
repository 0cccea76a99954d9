@NullMarked
package io.millrace.key;

import org.jspecify.annotations.NullMarked;
