package io.millrace.advisor;

import java.util.function.Consumer;

/**
 * What the rules judge by, and what takes their findings.
 *
 * @param findings takes what is found
 * @param unknown takes numbers of which the schema does not tell whether they rise
 */
record Judging(
    Catalog catalog,
    Schema schema,
    Natures natures,
    Consumer<Finding> findings,
    Consumer<String> unknown) {}
