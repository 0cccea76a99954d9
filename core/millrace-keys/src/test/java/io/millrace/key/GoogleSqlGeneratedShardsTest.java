package io.millrace.key;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    ddl =
        """
        CREATE TABLE accesses (
          shard INT64 NOT NULL AS (MOD(FARM_FINGERPRINT(CAST(last_access AS STRING)), 2048)) STORED,
          id INT64 NOT NULL,
          user_id STRING(MAX) NOT NULL,
          token BYTES(MAX) NOT NULL,
          granted BOOL NOT NULL,
          day DATE NOT NULL,
          last_access TIMESTAMP NOT NULL,
          user_shard INT64 NOT NULL
            AS (MOD(MOD(FARM_FINGERPRINT(user_id), 64) + 64, 64)) STORED,
          token_shard INT64 NOT NULL
            AS (MOD(MOD(FARM_FINGERPRINT(token), 64) + 64, 64)) STORED,
          row_shard INT64 NOT NULL
            AS (MOD(MOD(FARM_FINGERPRINT(CONCAT(
              CAST(BYTE_LENGTH(user_id) AS STRING), ':', user_id, ',',
              CAST(BYTE_LENGTH(CAST(id AS STRING)) AS STRING), ':', CAST(id AS STRING), ',',
              CAST(BYTE_LENGTH(CAST(granted AS STRING)) AS STRING),
                ':', CAST(granted AS STRING), ',',
              CAST(BYTE_LENGTH(CAST(day AS STRING)) AS STRING), ':', CAST(day AS STRING), ',',
              CAST(BYTE_LENGTH(CAST(last_access AS STRING)) AS STRING),
                ':', CAST(last_access AS STRING), ','
            )), 1000) + 1000, 1000)) STORED,
        ) PRIMARY KEY (shard, id)""")
class GoogleSqlGeneratedShardsTest extends GeneratedShards {}
