/** A simulator of many generators that share a sequence: discrete events in virtual time. */
@NullMarked
package io.millrace.simulate;

import org.jspecify.annotations.NullMarked;
