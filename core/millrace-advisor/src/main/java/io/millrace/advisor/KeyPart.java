package io.millrace.advisor;

/**
 * A column of a key or an index.
 *
 * @param column its name
 * @param descending whether the rows are in falling order of it
 */
record KeyPart(String column, boolean descending) {}
