@NullMarked
package io.millrace.tools;

import org.jspecify.annotations.NullMarked;
