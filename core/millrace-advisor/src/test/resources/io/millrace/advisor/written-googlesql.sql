CREATE TABLE `sequences` (`name` STRING(64) NOT NULL, `next_value` INT64 NOT NULL) PRIMARY KEY (`name`);

CREATE TABLE IF NOT EXISTS `Entries` (`shard` INT64 NOT NULL AS (MOD(MOD(FARM_FINGERPRINT(`sequence`), 64) + 64, 64)) STORED, `sequence` STRING(64) NOT NULL, `first` INT64 NOT NULL, `id` INT64 NOT NULL, `size` INT64 NOT NULL, `released` INT64 NOT NULL, `holder` STRING(457) NOT NULL, `reserved_at` TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (`shard`, `sequence`, `first`, `id`);

CREATE SEQUENCE `Ids` BIT_REVERSED_POSITIVE;

CREATE TABLE `Visits` (`Shard` INT64 NOT NULL AS (MOD(MOD(FARM_FINGERPRINT(`Visitor`), 16) + 16, 16)) STORED, `Visitor` STRING(36) NOT NULL, `Seen` TIMESTAMP NOT NULL, `Page` STRING(MAX)) PRIMARY KEY (`Shard`, `Visitor`);

CREATE TABLE `AccessLog` (`Written` TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp = true), `Id` STRING(36) NOT NULL DEFAULT (GENERATE_UUID())) PRIMARY KEY (`Written`, `Id`);

CREATE TABLE `Orders` (`Id` INT64 NOT NULL DEFAULT (GET_NEXT_SEQUENCE_VALUE(SEQUENCE `Ids`))) PRIMARY KEY (`Id`);

CREATE INDEX `BySeen` ON `Visits` (`Seen` DESC) STORING (`Page`);
