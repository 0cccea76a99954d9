CREATE TABLE IF NOT EXISTS "sequences" ("name" VARCHAR(64) NOT NULL, "next_value" BIGINT NOT NULL, PRIMARY KEY ("name"));
