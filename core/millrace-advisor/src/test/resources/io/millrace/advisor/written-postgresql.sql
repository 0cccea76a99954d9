CREATE TABLE "sequences" ("name" varchar(64) NOT NULL, "next_value" bigint NOT NULL, PRIMARY KEY ("name"));

CREATE SEQUENCE "Ids" BIT_REVERSED_POSITIVE;

CREATE TABLE "Visits" ("Shard" bigint NOT NULL GENERATED ALWAYS AS (MOD(MOD(spanner.farm_fingerprint("Visitor"), 16) + 16, 16)) STORED, "Visitor" varchar(36) NOT NULL, "Seen" timestamptz NOT NULL, "Page" varchar, PRIMARY KEY ("Shard", "Visitor"));

CREATE TABLE "AccessLog" ("Written" spanner.commit_timestamp NOT NULL, "Id" varchar(36) NOT NULL DEFAULT spanner.generate_uuid(), PRIMARY KEY ("Written", "Id"));

CREATE TABLE "Orders" ("Id" bigint NOT NULL DEFAULT nextval('Ids'), PRIMARY KEY ("Id"));

CREATE INDEX "BySeen" ON "Visits" ("Seen" DESC) INCLUDE ("Page");
