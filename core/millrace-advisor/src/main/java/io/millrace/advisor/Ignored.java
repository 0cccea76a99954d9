package io.millrace.advisor;

/**
 * A finding that is known to be harmless.
 *
 * @param finding the finding
 * @param reason why
 */
public record Ignored(Finding finding, String reason) {}
