@NullMarked
package io.millrace.advise;

import org.jspecify.annotations.NullMarked;
