package io.millrace.advisor;

/**
 * A column of a key or an index.
 *
 * @param column its name
 * @param descending whether the rows are in falling order of it
 * @param nulls where rows without a value are, as a statement says it; may be empty
 */
record KeyPart(String column, boolean descending, String nulls) {

  KeyPart(String column, boolean descending) {
    this(column, descending, "");
  }
}
