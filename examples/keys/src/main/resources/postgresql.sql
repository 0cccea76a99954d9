-- The tables of docs/keys.md in PostgreSQL.

-- To avoid: every insert goes to the end of the table.
CREATE TABLE rising_access_log (
  last_access timestamptz NOT NULL,
  user_id varchar(36) NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (last_access, user_id)
);

-- The owner first, then the time.
CREATE TABLE user_first_access_log (
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (user_id, last_access)
);

CREATE INDEX user_first_newest ON user_first_access_log (user_id, last_access DESC) INCLUDE (page);

CREATE TABLE host_log (
  host varchar(100) NOT NULL,
  event varchar(40) NOT NULL,
  happened_at timestamptz NOT NULL,
  message varchar(1000) NOT NULL,
  PRIMARY KEY (host, event, happened_at)
);

-- The key has a number that falls as time rises, because a key cannot be descending.
CREATE TABLE newest_host_log (
  host varchar(100) NOT NULL,
  event varchar(40) NOT NULL,
  happened_at timestamptz NOT NULL,
  newest bigint NOT NULL,
  message varchar(1000) NOT NULL,
  PRIMARY KEY (host, event, newest)
);

-- A shard that the client computes.
CREATE TABLE client_shard_access_log (
  shard_id bigint NOT NULL,
  last_access timestamptz NOT NULL,
  user_id varchar(36) NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (shard_id, last_access, user_id)
);

-- A shard that the server generates: of one column, from 0 to 63.
CREATE TABLE time_shard_access_log (
  shard_id bigint NOT NULL
    GENERATED ALWAYS AS (
      mod(mod(spanner.farm_fingerprint(CAST(last_access AS varchar)), 64) + 64, 64)) STORED,
  last_access timestamptz NOT NULL,
  user_id varchar(36) NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (shard_id, last_access, user_id)
);

-- With the sign of the hash, from -63 to 63.
CREATE TABLE signed_shard_access_log (
  shard_id bigint NOT NULL
    GENERATED ALWAYS AS (mod(spanner.farm_fingerprint(CAST(last_access AS varchar)), 64)) STORED,
  last_access timestamptz NOT NULL,
  user_id varchar(36) NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (shard_id, last_access, user_id)
);

-- Of two columns, as netstrings.
CREATE TABLE time_and_user_shard_access_log (
  shard_id bigint NOT NULL
    GENERATED ALWAYS AS (mod(mod(spanner.farm_fingerprint(
      (CAST(length(CAST(CAST(last_access AS varchar) AS bytea)) AS varchar) || ':'
        || CAST(last_access AS varchar) || ',')
      || (CAST(length(CAST(user_id AS bytea)) AS varchar) || ':' || user_id || ',')
    ), 64) + 64, 64)) STORED,
  last_access timestamptz NOT NULL,
  user_id varchar(36) NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (shard_id, last_access, user_id)
);

-- A time bucket.
CREATE TABLE bucket_log (
  bucket bigint NOT NULL,
  happened_at timestamptz NOT NULL,
  host varchar(100) NOT NULL,
  event varchar(40) NOT NULL,
  message varchar(1000) NOT NULL,
  PRIMARY KEY (bucket, happened_at, host, event)
);

-- A number with its bits reversed.
CREATE TABLE numbered_access_log (
  access_key bigint NOT NULL,
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (access_key)
);

-- A UUID of the client, in three layouts.
CREATE TABLE uuid_string_log (
  access_id varchar(36) NOT NULL,
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (access_id)
);

CREATE TABLE uuid_longs_log (
  id_high bigint NOT NULL,
  id_low bigint NOT NULL,
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (id_high, id_low)
);

CREATE TABLE uuid_bytes_log (
  access_id bytea NOT NULL,
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (access_id)
);

-- Keys that the server generates.
CREATE TABLE server_uuid_log (
  access_id varchar(36) NOT NULL DEFAULT spanner.generate_uuid(),
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (access_id)
);

CREATE SEQUENCE access_ids BIT_REVERSED_POSITIVE;

CREATE TABLE server_sequence_log (
  access_id bigint NOT NULL DEFAULT nextval('access_ids'),
  user_id varchar(36) NOT NULL,
  last_access timestamptz NOT NULL,
  page varchar(200) NOT NULL,
  PRIMARY KEY (access_id)
);

-- Users whose ids count up: as they are (to avoid), with a hash prefix, and reversed.
CREATE TABLE plain_orders (
  user_key varchar(40) NOT NULL,
  order_id bigint NOT NULL,
  note varchar(100) NOT NULL,
  PRIMARY KEY (user_key, order_id)
);

CREATE TABLE hashed_orders (
  user_key varchar(40) NOT NULL,
  order_id bigint NOT NULL,
  note varchar(100) NOT NULL,
  PRIMARY KEY (user_key, order_id)
);

CREATE TABLE reversed_orders (
  user_key varchar(40) NOT NULL,
  order_id bigint NOT NULL,
  note varchar(100) NOT NULL,
  PRIMARY KEY (user_key, order_id)
);

-- A salt.
CREATE TABLE salted_order_log (
  user_id varchar(36) NOT NULL,
  order_id bigint NOT NULL,
  salt bigint NOT NULL,
  happened_at timestamptz NOT NULL,
  note varchar(100) NOT NULL,
  PRIMARY KEY (user_id, order_id, salt)
);

-- One row in several tables.
CREATE TABLE orders_by_buyer (
  buyer_id varchar(36) NOT NULL,
  placed_at timestamptz NOT NULL,
  order_number bigint NOT NULL,
  seller_id varchar(36) NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (buyer_id, placed_at, order_number)
);

CREATE TABLE orders_by_seller (
  seller_id varchar(36) NOT NULL,
  placed_at timestamptz NOT NULL,
  order_number bigint NOT NULL,
  buyer_id varchar(36) NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (seller_id, placed_at, order_number)
);

CREATE TABLE orders_by_number (
  order_number bigint NOT NULL,
  buyer_id varchar(36) NOT NULL,
  seller_id varchar(36) NOT NULL,
  placed_at timestamptz NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (order_number)
);

-- Indexes.
CREATE TABLE visitors (
  user_id varchar(36) NOT NULL,
  last_access timestamptz,
  shard_id bigint
    GENERATED ALWAYS AS (
      mod(mod(spanner.farm_fingerprint(CAST(last_access AS varchar)), 64) + 64, 64)) STORED,
  PRIMARY KEY (user_id)
);

-- To avoid: every new time goes to the end of the index.
CREATE INDEX visitors_rising ON visitors (last_access);

CREATE INDEX visitors_by_time ON visitors (shard_id, last_access DESC)
  WHERE shard_id IS NOT NULL AND last_access IS NOT NULL;

CREATE TABLE visits (
  user_id varchar(36) NOT NULL,
  page varchar(200) NOT NULL,
  last_access timestamptz NOT NULL,
  PRIMARY KEY (user_id, page)
) INTERLEAVE IN PARENT visitors;

CREATE INDEX visits_by_time ON visits (user_id, last_access DESC) INTERLEAVE IN visitors;
