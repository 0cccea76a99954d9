package io.millrace.advisor;

import java.util.List;

/**
 * The tables of files.
 *
 * @param tables the tables
 * @param notes what was left out, in sentences
 * @param suppressions the findings that comments call harmless
 */
record Schema(List<Table> tables, List<String> notes, List<Suppression> suppressions) {}
