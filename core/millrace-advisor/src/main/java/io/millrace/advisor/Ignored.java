package io.millrace.advisor;

/**
 * A finding that is known to be harmless.
 *
 * @param finding the finding
 * @param reason why
 * @param inSource whether a comment in a DDL file says so; otherwise the caller or a file of
 *     suppressions does
 */
public record Ignored(Finding finding, String reason, boolean inSource) {}
