/** An event store: streams of events, each with versions 1, 2, 3 … without gaps. */
@NullMarked
package io.millrace.events;

import org.jspecify.annotations.NullMarked;
