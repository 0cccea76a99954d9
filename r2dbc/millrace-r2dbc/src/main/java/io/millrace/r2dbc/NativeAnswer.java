package io.millrace.r2dbc;

import java.util.List;

/**
 * The answer to a statement that takes values from a sequence of the database.
 *
 * @param values what {@code nextval} returned, in the order of the calls
 * @param definition the definition of the sequence after these calls
 */
record NativeAnswer(List<Long> values, NativeDefinition definition) {}
