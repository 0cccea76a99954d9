@NullMarked
package io.millrace.insert;

import org.jspecify.annotations.NullMarked;
