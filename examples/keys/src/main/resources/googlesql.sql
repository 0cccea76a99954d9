-- The tables of docs/keys.md in GoogleSQL.

-- To avoid: every insert goes to the end of the table.
CREATE TABLE rising_access_log (
  last_access TIMESTAMP NOT NULL,
  user_id STRING(36) NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (last_access, user_id);

-- The owner first, then the time.
CREATE TABLE user_first_access_log (
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (user_id, last_access DESC);

CREATE TABLE host_log (
  host STRING(100) NOT NULL,
  event STRING(40) NOT NULL,
  happened_at TIMESTAMP NOT NULL,
  message STRING(1000) NOT NULL,
) PRIMARY KEY (host, event, happened_at);

CREATE TABLE newest_host_log (
  host STRING(100) NOT NULL,
  event STRING(40) NOT NULL,
  happened_at TIMESTAMP NOT NULL,
  message STRING(1000) NOT NULL,
) PRIMARY KEY (host, event, happened_at DESC);

-- A shard that the client computes.
CREATE TABLE client_shard_access_log (
  shard_id INT64 NOT NULL,
  last_access TIMESTAMP NOT NULL,
  user_id STRING(36) NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (shard_id, last_access, user_id);

-- A shard that the server generates: of one column, from 0 to 63.
CREATE TABLE time_shard_access_log (
  shard_id INT64 NOT NULL
    AS (MOD(MOD(FARM_FINGERPRINT(CAST(last_access AS STRING)), 64) + 64, 64)) STORED,
  last_access TIMESTAMP NOT NULL,
  user_id STRING(36) NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (shard_id, last_access, user_id);

-- With the sign of the hash, from -63 to 63.
CREATE TABLE signed_shard_access_log (
  shard_id INT64 NOT NULL AS (MOD(FARM_FINGERPRINT(CAST(last_access AS STRING)), 64)) STORED,
  last_access TIMESTAMP NOT NULL,
  user_id STRING(36) NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (shard_id, last_access, user_id);

-- Of two columns, as netstrings.
CREATE TABLE time_and_user_shard_access_log (
  shard_id INT64 NOT NULL
    AS (MOD(MOD(FARM_FINGERPRINT(CONCAT(
      CAST(BYTE_LENGTH(CAST(last_access AS STRING)) AS STRING), ':',
        CAST(last_access AS STRING), ',',
      CAST(BYTE_LENGTH(user_id) AS STRING), ':', user_id, ',')), 64) + 64, 64)) STORED,
  last_access TIMESTAMP NOT NULL,
  user_id STRING(36) NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (shard_id, last_access, user_id);

-- A time bucket.
CREATE TABLE bucket_log (
  bucket INT64 NOT NULL,
  happened_at TIMESTAMP NOT NULL,
  host STRING(100) NOT NULL,
  event STRING(40) NOT NULL,
  message STRING(1000) NOT NULL,
) PRIMARY KEY (bucket, happened_at, host, event);

-- A number with its bits reversed.
CREATE TABLE numbered_access_log (
  access_key INT64 NOT NULL,
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (access_key);

-- A UUID of the client, in three layouts.
CREATE TABLE uuid_string_log (
  access_id STRING(36) NOT NULL,
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (access_id);

CREATE TABLE uuid_longs_log (
  id_high INT64 NOT NULL,
  id_low INT64 NOT NULL,
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (id_high, id_low);

CREATE TABLE uuid_bytes_log (
  access_id BYTES(16) NOT NULL,
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (access_id);

-- Keys that the server generates.
CREATE TABLE server_uuid_log (
  access_id STRING(36) NOT NULL DEFAULT (GENERATE_UUID()),
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (access_id);

CREATE SEQUENCE access_ids BIT_REVERSED_POSITIVE;

CREATE TABLE server_sequence_log (
  access_id INT64 NOT NULL DEFAULT (GET_NEXT_SEQUENCE_VALUE(SEQUENCE access_ids)),
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP NOT NULL,
  page STRING(200) NOT NULL,
) PRIMARY KEY (access_id);

-- Users whose ids count up: as they are (to avoid), with a hash prefix, and reversed.
CREATE TABLE plain_orders (
  user_key STRING(40) NOT NULL,
  order_id INT64 NOT NULL,
  note STRING(100) NOT NULL,
) PRIMARY KEY (user_key, order_id);

CREATE TABLE hashed_orders (
  user_key STRING(40) NOT NULL,
  order_id INT64 NOT NULL,
  note STRING(100) NOT NULL,
) PRIMARY KEY (user_key, order_id);

CREATE TABLE reversed_orders (
  user_key STRING(40) NOT NULL,
  order_id INT64 NOT NULL,
  note STRING(100) NOT NULL,
) PRIMARY KEY (user_key, order_id);

-- A salt.
CREATE TABLE salted_order_log (
  user_id STRING(36) NOT NULL,
  order_id INT64 NOT NULL,
  salt INT64 NOT NULL,
  happened_at TIMESTAMP NOT NULL,
  note STRING(100) NOT NULL,
) PRIMARY KEY (user_id, order_id, salt);

-- One row in several tables.
CREATE TABLE orders_by_buyer (
  buyer_id STRING(36) NOT NULL,
  placed_at TIMESTAMP NOT NULL,
  order_number INT64 NOT NULL,
  seller_id STRING(36) NOT NULL,
  cents INT64 NOT NULL,
) PRIMARY KEY (buyer_id, placed_at, order_number);

CREATE TABLE orders_by_seller (
  seller_id STRING(36) NOT NULL,
  placed_at TIMESTAMP NOT NULL,
  order_number INT64 NOT NULL,
  buyer_id STRING(36) NOT NULL,
  cents INT64 NOT NULL,
) PRIMARY KEY (seller_id, placed_at, order_number);

CREATE TABLE orders_by_number (
  order_number INT64 NOT NULL,
  buyer_id STRING(36) NOT NULL,
  seller_id STRING(36) NOT NULL,
  placed_at TIMESTAMP NOT NULL,
  cents INT64 NOT NULL,
) PRIMARY KEY (order_number);

-- Indexes.
CREATE TABLE visitors (
  user_id STRING(36) NOT NULL,
  last_access TIMESTAMP,
  shard_id INT64 AS (MOD(MOD(FARM_FINGERPRINT(CAST(last_access AS STRING)), 64) + 64, 64)) STORED,
) PRIMARY KEY (user_id);

-- To avoid: every new time goes to the end of the index.
CREATE INDEX visitors_rising ON visitors (last_access);

CREATE NULL_FILTERED INDEX visitors_by_time ON visitors (shard_id, last_access DESC);

CREATE TABLE visits (
  user_id STRING(36) NOT NULL,
  page STRING(200) NOT NULL,
  last_access TIMESTAMP NOT NULL,
) PRIMARY KEY (user_id, page),
  INTERLEAVE IN PARENT visitors;

CREATE INDEX visits_by_time ON visits (user_id, last_access DESC), INTERLEAVE IN visitors;
