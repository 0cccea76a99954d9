package io.millrace.events;

import java.time.Instant;

/**
 * A stored event.
 *
 * @param stream the name of its stream
 * @param version its version: 1 for the first event of the stream, then 2, 3 … without gaps
 * @param payload the appended payload
 * @param committedAt the timestamp of the commit
 */
public record StoredEvent(String stream, long version, String payload, Instant committedAt) {}
