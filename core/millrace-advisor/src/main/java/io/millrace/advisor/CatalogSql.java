package io.millrace.advisor;

/**
 * The queries that describe a schema. The name of the schema is empty for the default one.
 *
 * @param tables schema, table, parent, deletion policy
 * @param columns schema, table, column, type, nullable, default, generation expression, whether it
 *     is counted up, whether it is bit-reversed, whether it may hold the commit's time, whether a
 *     generated value is stored
 * @param indexes schema, table, index, whether it is the primary key, unique, null-filtered,
 *     parent, column (null for an expression), its order such as {@code DESC}, nullable in the
 *     index, whether it is only stored
 * @param foreignKeys schema, table, constraint, column, schema and name of the other table
 */
record CatalogSql(String tables, String columns, String indexes, String foreignKeys) {

  private static final String OTHER_SCHEMAS =
      " NOT IN ('information_schema', 'INFORMATION_SCHEMA', 'spanner_sys', 'SPANNER_SYS',"
          + " 'pg_catalog', 'mysql', 'sys', 'performance_schema')";

  private static String schema(String column, String defaultSchema) {
    return "CASE " + (column + " WHEN " + defaultSchema + " THEN '' ELSE " + column + " END");
  }

  /** Both dialects. The indexes that Spanner itself makes for foreign keys are left out. */
  static final CatalogSql SPANNER =
      new CatalogSql(
          "SELECT "
              + schema("t.table_schema", "'public'")
              + ", t.table_name, t.parent_table_name, t.row_deletion_policy_expression"
              + " FROM information_schema.tables t WHERE t.table_type = 'BASE TABLE'"
              + (" AND t.table_schema" + OTHER_SCHEMAS + " ORDER BY 1, 2"),
          "SELECT "
              + schema("c.table_schema", "'public'")
              + ", c.table_name, c.column_name, c.spanner_type, c.is_nullable, c.column_default,"
              + " c.generation_expression, 'NO', c.is_identity,"
              + " (SELECT MAX(o.option_value) FROM information_schema.column_options o"
              + " WHERE o.table_schema = c.table_schema AND o.table_name = c.table_name"
              + " AND o.column_name = c.column_name AND o.option_name = 'allow_commit_timestamp'), c.is_stored"
              + " FROM information_schema.columns c"
              + (" WHERE c.table_schema" + OTHER_SCHEMAS + " ORDER BY 1, 2, c.ordinal_position"),
          "SELECT "
              + schema("i.table_schema", "'public'")
              + ", i.table_name, i.index_name, CASE i.index_type WHEN 'PRIMARY_KEY' THEN 'YES'"
              + " ELSE 'NO' END, i.is_unique, i.is_null_filtered, i.parent_table_name,"
              + " c.column_name, c.column_ordering, c.is_nullable, CASE WHEN c.ordinal_position IS NULL THEN 'YES' ELSE 'NO' END"
              + " FROM information_schema.indexes i"
              + " JOIN information_schema.index_columns c ON c.table_schema = i.table_schema"
              + " AND c.table_name = i.table_name AND c.index_name = i.index_name"
              + " WHERE (i.index_type = 'PRIMARY_KEY' OR i.index_type = 'INDEX')"
              + " AND LOWER(CAST(i.spanner_is_managed AS TEXT_TYPE)) <> 'true'"
              + " AND LOWER(CAST(i.spanner_is_managed AS TEXT_TYPE)) <> 'yes'"
              + (" AND i.table_schema" + OTHER_SCHEMAS)
              + " ORDER BY 1, 2, 3, c.ordinal_position",
          "SELECT "
              + schema("k.table_schema", "'public'")
              + ", k.table_name, k.constraint_name, k.column_name, "
              + schema("u.table_schema", "'public'")
              + ", u.table_name FROM information_schema.referential_constraints r"
              + " JOIN information_schema.key_column_usage k"
              + " ON k.constraint_schema = r.constraint_schema"
              + " AND k.constraint_name = r.constraint_name"
              + " JOIN information_schema.table_constraints u"
              + " ON u.constraint_schema = r.unique_constraint_schema"
              + " AND u.constraint_name = r.unique_constraint_name"
              + (" WHERE k.table_schema"
                  + OTHER_SCHEMAS
                  + " ORDER BY 1, 2, 3, k.ordinal_position"));

  static final CatalogSql POSTGRESQL =
      new CatalogSql(
          "SELECT "
              + schema("t.table_schema", "current_schema()")
              + ", t.table_name, NULL, NULL FROM information_schema.tables t"
              + " WHERE t.table_type = 'BASE TABLE' AND NOT EXISTS (SELECT 1 FROM pg_class c"
              + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = t.table_schema"
              + " AND c.relname = t.table_name AND c.relispartition) AND t.table_schema"
              + (OTHER_SCHEMAS + " ORDER BY 1, 2"),
          "SELECT "
              + schema("c.table_schema", "current_schema()")
              + ", c.table_name, c.column_name,"
              + " (SELECT CASE y.typtype WHEN 'e' THEN 'enum ' ELSE '' END"
              + " || format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
              + " JOIN pg_type y ON y.oid = a.atttypid WHERE a.attrelid ="
              + " (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass"
              + " AND a.attname = c.column_name),"
              + " c.is_nullable, c.column_default, c.generation_expression,"
              + " CASE WHEN c.is_identity = 'YES' OR c.column_default LIKE 'nextval(%'"
              + " THEN 'YES' ELSE 'NO' END, 'NO', 'NO', 'YES' FROM information_schema.columns c"
              + " JOIN information_schema.tables t ON t.table_schema = c.table_schema"
              + " AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'"
              + (" WHERE c.table_schema" + OTHER_SCHEMAS + " ORDER BY 1, 2, c.ordinal_position"),
          "SELECT "
              + schema("n.nspname", "current_schema()")
              + ", t.relname, i.relname, CASE WHEN x.indisprimary THEN 'YES' ELSE 'NO' END,"
              + " CASE WHEN x.indisunique THEN 'YES' ELSE 'NO' END,"
              + " CASE WHEN x.indpred IS NULL THEN 'NO' ELSE 'YES' END, NULL, a.attname,"
              + " CASE WHEN (x.indoption[k.place - 1] & 1) = 1 THEN 'DESC' ELSE 'ASC' END,"
              + " CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END, 'NO'"
              + " FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid"
              + " JOIN pg_class i ON i.oid = x.indexrelid"
              + " JOIN pg_namespace n ON n.oid = t.relnamespace"
              + " CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)"
              + " LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum"
              + " AND a.attnum > 0"
              + " WHERE k.place <= x.indnkeyatts"
              + (" AND n.nspname" + OTHER_SCHEMAS + " AND n.nspname <> 'pg_toast'")
              + " ORDER BY 1, 2, 3, k.place",
          standardForeignKeys("current_schema()"));

  static final CatalogSql MYSQL =
      new CatalogSql(
          "SELECT '', t.table_name, NULL, NULL FROM information_schema.tables t"
              + " WHERE t.table_type = 'BASE TABLE' AND t.table_schema = DATABASE() ORDER BY 2",
          "SELECT '', c.table_name, c.column_name, c.column_type, c.is_nullable,"
              + " c.column_default, NULLIF(c.generation_expression, ''),"
              + " CASE WHEN c.extra LIKE '%auto_increment%' THEN 'YES' ELSE 'NO' END, 'NO', 'NO', 'YES'"
              + " FROM information_schema.columns c WHERE c.table_schema = DATABASE()"
              + " ORDER BY 2, c.ordinal_position",
          "SELECT '', s.table_name, s.index_name,"
              + " CASE s.index_name WHEN 'PRIMARY' THEN 'YES' ELSE 'NO' END,"
              + " CASE s.non_unique WHEN 0 THEN 'YES' ELSE 'NO' END, 'NO', NULL, s.column_name,"
              + " CASE s.collation WHEN 'D' THEN 'DESC' ELSE 'ASC' END, s.nullable, 'NO'"
              + " FROM information_schema.statistics s"
              + " WHERE s.table_schema = DATABASE()"
              + " ORDER BY 2, 3, s.seq_in_index",
          "SELECT '', k.table_name, k.constraint_name, k.column_name, '',"
              + " k.referenced_table_name FROM information_schema.key_column_usage k"
              + " WHERE k.table_schema = DATABASE() AND k.referenced_table_name IS NOT NULL"
              + " ORDER BY 2, 3, k.ordinal_position");

  static final CatalogSql H2 =
      new CatalogSql(
          "SELECT "
              + schema("t.table_schema", "SCHEMA()")
              + ", t.table_name, NULL, NULL FROM information_schema.tables t"
              + " WHERE t.table_type = 'BASE TABLE' AND t.table_schema"
              + (OTHER_SCHEMAS + " ORDER BY 1, 2"),
          "SELECT "
              + schema("c.table_schema", "SCHEMA()")
              + ", c.table_name, c.column_name, c.data_type, c.is_nullable, c.column_default,"
              + " c.generation_expression,"
              + " CASE WHEN c.is_identity = 'YES' OR c.column_default LIKE 'NEXT VALUE FOR%'"
              + " THEN 'YES' ELSE 'NO' END, 'NO', 'NO', 'YES' FROM information_schema.columns c"
              + (" WHERE c.table_schema" + OTHER_SCHEMAS + " ORDER BY 1, 2, c.ordinal_position"),
          "SELECT "
              + schema("i.table_schema", "SCHEMA()")
              + ", i.table_name, i.index_name,"
              + " CASE i.index_type_name WHEN 'PRIMARY KEY' THEN 'YES' ELSE 'NO' END,"
              + " CASE WHEN i.index_type_name LIKE 'UNIQUE%' THEN 'YES' ELSE 'NO' END,"
              + " 'NO', NULL, c.column_name,"
              + " c.ordering_specification,"
              + " (SELECT t.is_nullable FROM information_schema.columns t"
              + " WHERE t.table_schema = i.table_schema AND t.table_name = i.table_name"
              + " AND t.column_name = c.column_name), 'NO'"
              + " FROM information_schema.indexes i JOIN information_schema.index_columns c"
              + " ON c.index_schema = i.index_schema AND c.index_name = i.index_name"
              + (" WHERE i.table_schema" + OTHER_SCHEMAS)
              + " ORDER BY 1, 2, 3, c.ordinal_position",
          standardForeignKeys("SCHEMA()"));

  private static String standardForeignKeys(String defaultSchema) {
    return "SELECT "
        + schema("k.table_schema", defaultSchema)
        + ", k.table_name, k.constraint_name, k.column_name, "
        + schema("u.table_schema", defaultSchema)
        + ", u.table_name FROM information_schema.referential_constraints r"
        + " JOIN information_schema.key_column_usage k"
        + " ON k.constraint_schema = r.constraint_schema"
        + " AND k.constraint_name = r.constraint_name"
        + " JOIN information_schema.table_constraints u"
        + " ON u.constraint_schema = r.unique_constraint_schema"
        + " AND u.constraint_name = r.unique_constraint_name"
        + (" WHERE k.table_schema" + OTHER_SCHEMAS + " ORDER BY 1, 2, 3, k.ordinal_position");
  }
}
