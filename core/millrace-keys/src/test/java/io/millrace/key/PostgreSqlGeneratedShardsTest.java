package io.millrace.key;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl =
        """
        CREATE TABLE accesses (
          shard bigint NOT NULL GENERATED ALWAYS
            AS (mod(spanner.farm_fingerprint(CAST(last_access AS varchar)), 2048)) STORED,
          id bigint NOT NULL,
          user_id varchar NOT NULL,
          token bytea NOT NULL,
          granted boolean NOT NULL,
          day date NOT NULL,
          last_access timestamptz NOT NULL,
          user_shard bigint NOT NULL GENERATED ALWAYS
            AS (mod(mod(spanner.farm_fingerprint(user_id), 64) + 64, 64)) STORED,
          token_shard bigint NOT NULL GENERATED ALWAYS
            AS (mod(mod(spanner.farm_fingerprint(token), 64) + 64, 64)) STORED,
          row_shard bigint NOT NULL GENERATED ALWAYS
            AS (mod(mod(spanner.farm_fingerprint(
              (CAST(length(CAST(user_id AS bytea)) AS varchar) || ':' || user_id || ',')
              || (CAST(length(CAST(CAST(id AS varchar) AS bytea)) AS varchar)
                || ':' || CAST(id AS varchar) || ',')
              || (CAST(length(CAST(CAST(granted AS varchar) AS bytea)) AS varchar)
                || ':' || CAST(granted AS varchar) || ',')
              || (CAST(length(CAST(CAST(day AS varchar) AS bytea)) AS varchar)
                || ':' || CAST(day AS varchar) || ',')
              || (CAST(length(CAST(CAST(last_access AS varchar) AS bytea)) AS varchar)
                || ':' || CAST(last_access AS varchar) || ',')
            ), 1000) + 1000, 1000)) STORED,
          PRIMARY KEY (shard, id)
        )""")
class PostgreSqlGeneratedShardsTest extends GeneratedShards {}
