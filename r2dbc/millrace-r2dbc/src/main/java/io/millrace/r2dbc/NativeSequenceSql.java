package io.millrace.r2dbc;

/**
 * The statements on native sequences of a database, as templates. The placeholder {@code
 * {sequence}} is the quoted name. The others are parameters: {@code {text}} is the quoted name as
 * text, {@code {schema}}, which may be empty, and {@code {name}} are parts of the name, and {@code
 * {calls}} is a number.
 *
 * @param mostCalls the maximum number of calls of {@code nextval} in a statement
 * @param values calls {@code nextval} in each of {@code {calls}} rows; five columns with NULL
 *     follow
 * @param definition reads NULL, increment, minimum, maximum, start value, and 1 if the sequence
 *     starts again at its end
 * @param position reads the value that {@code nextval} returned last and 1, or the one that it will
 *     return next and 0; NULL and 0 if no value is left
 */
record NativeSequenceSql(int mostCalls, String values, String definition, String position) {

  /** The right to use the sequence is enough for the first two statements. */
  static final NativeSequenceSql POSTGRESQL =
      new NativeSequenceSql(
          10_000,
          "SELECT nextval(id), NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint"
              + " FROM (SELECT {text}::text::regclass AS id OFFSET 0) AS named,"
              + " generate_series(1, {calls}::integer)",
          "SELECT NULL::bigint, increment, minimum_value, maximum_value, start_value,"
              + " cycle_option::integer::bigint"
              + " FROM pg_class, pg_sequence_parameters(oid)"
              + " WHERE oid = {text}::text::regclass AND relkind = 'S'",
          "SELECT last_value, is_called::integer::bigint FROM {sequence}");

  /** In Oracle's mode a value of a sequence is a NUMERIC. */
  static final NativeSequenceSql H2 =
      new NativeSequenceSql(
          10_000,
          "SELECT CAST(NEXT VALUE FOR {sequence} AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT),"
              + " CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)"
              + " FROM SYSTEM_RANGE(1, {calls})",
          "SELECT CAST(NULL AS BIGINT), INCREMENT, MINIMUM_VALUE, MAXIMUM_VALUE, START_VALUE,"
              + " CAST(CASE CYCLE_OPTION WHEN 'NO' THEN 0 ELSE 1 END AS BIGINT)"
              + h2Catalog(),
          "SELECT BASE_VALUE, CAST(0 AS BIGINT)" + h2Catalog());

  /**
   * The server ends a recursion after 1,000 rows, if it is not set otherwise. {@code INCREMENT BY
   * 0} adds what the node of a Galera cluster is set to, which differs with the size of the
   * cluster, so that each value is a block of its own.
   */
  static final NativeSequenceSql MARIADB =
      new NativeSequenceSql(
          1_000,
          "WITH RECURSIVE calls (i) AS"
              + " (SELECT 1 UNION ALL SELECT i + 1 FROM calls WHERE i < {calls})"
              + " SELECT NEXTVAL({sequence}), NULL, NULL, NULL, NULL, NULL FROM calls",
          "SELECT NULL, IF(increment = 0, 1, increment), minimum_value, maximum_value, start_value,"
              + " CAST(cycle_option AS SIGNED) FROM {sequence}",
          "SELECT next_not_cached_value, 0 FROM {sequence}");

  /** In Oracle's mode the text {@code ''} is NULL, but as a parameter it is not. */
  private static String h2Catalog() {
    return " FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_NAME = {name} AND SEQUENCE_SCHEMA ="
        + " CASE WHEN CHAR_LENGTH({schema}) > 0 THEN {schema} ELSE CURRENT_SCHEMA END";
  }
}
