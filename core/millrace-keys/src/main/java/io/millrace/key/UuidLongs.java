package io.millrace.key;

/**
 * A UUID as two numbers, for a key of two {@code INT64} columns.
 *
 * @param mostSignificant the first 8 bytes, big-endian
 * @param leastSignificant the last 8 bytes, big-endian
 */
public record UuidLongs(long mostSignificant, long leastSignificant) {}
