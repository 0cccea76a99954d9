package io.millrace.advisor;

import static io.millrace.advisor.DdlDialect.GOOGLESQL;
import static io.millrace.advisor.DdlDialect.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules. */
class SchemaAdvisorTest {

  /** A schema, and the only findings it has. */
  record Example(DdlDialect dialect, List<String> ddl, List<String> findings) {

    static Example google(String ddl, String... findings) {
      return new Example(GOOGLESQL, List.of(ddl.split(";\\s*")), List.of(findings));
    }

    static Example postgres(String ddl, String... findings) {
      return new Example(POSTGRESQL, List.of(ddl.split(";\\s*")), List.of(findings));
    }

    @Override
    public String toString() {
      return String.join("; ", ddl);
    }
  }

  private static final String USERS =
      "CREATE TABLE Users (Id STRING(36) NOT NULL DEFAULT (GENERATE_UUID()), Score INT64,"
          + " Seen TIMESTAMP) PRIMARY KEY (Id)";

  private static final String SHARDED =
      "CREATE TABLE Visits (Shard INT64 NOT NULL AS (MOD(FARM_FINGERPRINT(Id), 16)) STORED,"
          + " Id STRING(36) NOT NULL, Seen TIMESTAMP) PRIMARY KEY (Shard, Id)";

  static List<Example> hotspots() {
    return List.of(
        Example.google(
            "CREATE TABLE Rates (Day DATE NOT NULL) PRIMARY KEY (Day)", "WARNING rising-key Rates"),
        Example.google(
            "CREATE TABLE Rates (Written TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp ="
                + " true)) PRIMARY KEY (Written DESC)",
            "ERROR rising-key Rates"),
        Example.google(
            "CREATE TABLE Rates (Written TIMESTAMP NOT NULL DEFAULT (CURRENT_TIMESTAMP()), Name"
                + " STRING(9)) PRIMARY KEY (Written, Name)",
            "ERROR rising-key Rates"),
        Example.google(
            "CREATE TABLE Rates (CreatedMillis INT64 NOT NULL) PRIMARY KEY (CreatedMillis)",
            "WARNING rising-key Rates"),
        Example.google(
            "CREATE TABLE Rates (Hour TIMESTAMP AS (TIMESTAMP_TRUNC(Written, HOUR, 'UTC')) STORED,"
                + " Written TIMESTAMP NOT NULL, Id STRING(36)) PRIMARY KEY (Hour, Id)",
            "WARNING rising-key Rates"),
        Example.google(
            "CREATE TABLE AccessLog (LastAccess TIMESTAMP NOT NULL, UserId STRING(36)) PRIMARY KEY"
                + " (LastAccess, UserId)",
            "WARNING rising-key AccessLog"),
        Example.google(
            "CREATE TABLE Orders (OrderUlid STRING(26) NOT NULL) PRIMARY KEY (OrderUlid)",
            "WARNING rising-key Orders"),
        Example.google(
            "CREATE TABLE Jobs (Status STRING(9) NOT NULL, Due TIMESTAMP NOT NULL) PRIMARY KEY"
                + " (Status, Due)",
            "WARNING few-values Jobs"),
        Example.google(
            "CREATE TABLE Jobs (Region STRING(9) NOT NULL, Priority INT64, Due TIMESTAMP, Id"
                + " STRING(36)) PRIMARY KEY (Region, Priority, Due DESC, Id)",
            "WARNING few-values Jobs"),
        Example.google(
            USERS
                + "; CREATE TABLE Jobs (Id STRING(36) NOT NULL, IsOpen BOOL, Written TIMESTAMP"
                + " OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (Id);"
                + " CREATE INDEX Open ON Jobs (IsOpen, Written)",
            "WARNING few-values Open"),
        Example.google(
            "CREATE TABLE Jobs (JobUlid STRING(26) NOT NULL, Status STRING(9)) PRIMARY KEY"
                + " (JobUlid); CREATE INDEX ByStatus ON Jobs (Status)",
            "WARNING rising-key Jobs",
            "WARNING few-values ByStatus"),
        Example.google(
            "CREATE TABLE Names (A STRING(5000) NOT NULL, B BYTES(5000)) PRIMARY KEY (A, B)",
            "INFO long-key Names"),
        Example.google(
            "CREATE TABLE Films (ReleaseDate TIMESTAMP NOT NULL, Id STRING(36)) PRIMARY KEY"
                + " (ReleaseDate, Id)",
            "WARNING rising-key Films"),
        Example.google(
            "CREATE TABLE Cells (BornAt TIMESTAMP NOT NULL DEFAULT (CURRENT_TIMESTAMP()), Id"
                + " STRING(36)) PRIMARY KEY (BornAt, Id)",
            "ERROR rising-key Cells"),
        Example.google(
            "CREATE TABLE Cells (BirthDate DATE NOT NULL DEFAULT (CURRENT_DATE()), Id STRING(36))"
                + " PRIMARY KEY (BirthDate, Id)",
            "ERROR rising-key Cells"),
        Example.google(
            "CREATE TABLE Feed (Arrival TIMESTAMP NOT NULL, Id STRING(36)) PRIMARY KEY (Arrival"
                + " DESC, Id); ALTER TABLE Feed ALTER COLUMN Arrival SET OPTIONS"
                + " (allow_commit_timestamp = true)",
            "ERROR rising-key Feed"),
        Example.google(
            "CREATE TABLE Log (CreateTimeMicroseconds INT64 NOT NULL, Id STRING(36)) PRIMARY KEY"
                + " (CreateTimeMicroseconds, Id)",
            "WARNING rising-key Log"),
        Example.google(
            "CREATE TABLE Posts (SnowflakeId INT64 NOT NULL) PRIMARY KEY (SnowflakeId)",
            "WARNING rising-key Posts"),
        Example.postgres(
            "CREATE TABLE posts (id varchar(36), tsid bigint, PRIMARY KEY (id));"
                + " CREATE UNIQUE INDEX by_tsid ON posts (tsid)",
            "WARNING rising-index by_tsid"),
        Example.google(
            "CREATE TABLE Packets (SeqNo INT64 NOT NULL) PRIMARY KEY (SeqNo)",
            "WARNING rising-key Packets"),
        Example.google(
            "CREATE TABLE Reads (Id STRING(36) NOT NULL, ReadSeqNum INT64) PRIMARY KEY (Id);"
                + " CREATE UNIQUE INDEX BySeq ON Reads (ReadSeqNum)",
            "WARNING rising-index BySeq"),
        Example.google(
            "CREATE TABLE Carts (CartUuidV7 BYTES(16) NOT NULL) PRIMARY KEY (CartUuidV7)",
            "WARNING rising-key Carts"),
        Example.google(
            "CREATE TABLE Visits (Id STRING(36) NOT NULL, Seen TIMESTAMP NOT NULL, Minute TIMESTAMP AS"
                + " (TIMESTAMP_TRUNC(Seen, MINUTE, 'UTC')) STORED) PRIMARY KEY (Id);"
                + " CREATE INDEX ByMinute ON Visits (Minute)",
            "WARNING rising-index ByMinute"),
        Example.google(
            "CREATE TABLE Clocks (Written TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp ="
                + " true)) PRIMARY KEY (Written); CREATE INDEX Newest ON Clocks (Written DESC)",
            "ERROR rising-key Clocks"),
        Example.google(
            USERS + "; CREATE INDEX BySeen ON Users (Seen)", "WARNING rising-index BySeen"),
        Example.google(
            SHARDED + "; CREATE INDEX BySeen ON Visits (Seen)", "WARNING rising-index BySeen"),
        Example.google(
            USERS
                + "; CREATE TABLE Items (Id STRING(36) NOT NULL, Item STRING(36) NOT NULL, CONSTRAINT"
                + " Owner FOREIGN KEY (Id) REFERENCES Users (Id)) PRIMARY KEY (Id, Item)"),
        Example.google(
            USERS
                + "; CREATE TABLE Items (Id STRING(36) NOT NULL, Item STRING(36) NOT NULL, Price"
                + " INT64 NOT NULL) PRIMARY KEY (Id, Item), INTERLEAVE IN PARENT Users;"
                + " CREATE TABLE Parts (Id STRING(36) NOT NULL, Item STRING(36) NOT NULL, Part"
                + " STRING(36), Price INT64, Made TIMESTAMP) PRIMARY KEY (Id, Item, Part), INTERLEAVE"
                + " IN PARENT Items; CREATE INDEX ByMade ON Parts (Id, Item, Made);"
                + " CREATE INDEX ByPrice ON Parts (Id, Item, Price)"),
        Example.google(
            "CREATE TABLE Rates (Day DATE NOT NULL) PRIMARY KEY (Day);"
                + " CREATE TABLE Notes (Day DATE NOT NULL, Id STRING(36)) PRIMARY KEY (Day, Id),"
                + " INTERLEAVE IN PARENT Rates",
            "WARNING rising-key Rates"),
        Example.google(
            "CREATE TABLE Days (Day STRING(20) AS (FORMAT_TIMESTAMP('%Y-%m-%d', MADE, 'UTC'))"
                + " STORED, Made TIMESTAMP NOT NULL, Id STRING(36)) PRIMARY KEY (Day, Id)",
            "WARNING rising-key Days"),
        Example.google(
            "CREATE SEQUENCE Ids OPTIONS (sequence_kind = 'bit_reversed_positive');"
                + " CREATE TABLE Orders (Id INT64 NOT NULL DEFAULT (BIT_REVERSE("
                + "GET_NEXT_SEQUENCE_VALUE(SEQUENCE Ids), true))) PRIMARY KEY (Id)",
            "ERROR rising-key Orders"),
        Example.google(
            "CREATE TABLE Orders (Id STRING(99) NOT NULL DEFAULT (CONCAT(CAST(CURRENT_TIMESTAMP()"
                + " AS STRING), GENERATE_UUID()))) PRIMARY KEY (Id)",
            "ERROR rising-key Orders"),
        Example.google(
            "CREATE TABLE Waits (`Order` TIMESTAMP) PRIMARY KEY (`Order`), ROW DELETION POLICY"
                + " (OLDER_THAN(`Order`, INTERVAL 30 DAY))",
            "WARNING rising-key Waits"),
        Example.google(
            USERS
                + "; CREATE INDEX BySeen ON Users (Seen); CREATE INDEX BySeenAndScore ON Users"
                + " (Seen, Score)",
            "WARNING rising-index BySeen",
            "WARNING rising-index BySeenAndScore"),
        Example.postgres(
            "CREATE TABLE births (born_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY"
                + " (born_at))",
            "ERROR rising-key births"),
        Example.postgres(
            "CREATE TABLE carts (cart_uuid_v7 varchar(36) NOT NULL, PRIMARY KEY (cart_uuid_v7))",
            "WARNING rising-key carts"),
        Example.postgres(
            "CREATE TABLE entries (entry_seq_no bigint NOT NULL, PRIMARY KEY (entry_seq_no))",
            "WARNING rising-key entries"),
        Example.postgres(
            "CREATE TABLE jobs (id varchar(36), job_state varchar(9), due_at timestamptz, PRIMARY"
                + " KEY (id)); CREATE INDEX by_state ON jobs (job_state, due_at DESC)",
            "WARNING few-values by_state"),
        Example.postgres(
            "CREATE TABLE \"日志\" (at timestamptz, PRIMARY KEY (at))", "WARNING rising-key 日志"),
        Example.postgres(
            "CREATE TABLE rates (written spanner.commit_timestamp NOT NULL, PRIMARY KEY (written))",
            "ERROR rising-key rates"),
        Example.postgres(
            "CREATE TABLE access_log (last_access timestamptz NOT NULL, user_id varchar(36), PRIMARY"
                + " KEY (last_access, user_id))",
            "WARNING rising-key access_log"),
        Example.postgres(
            "CREATE TABLE jobs (is_open bool NOT NULL, due timestamptz, PRIMARY KEY (is_open,"
                + " due))",
            "WARNING few-values jobs"),
        Example.postgres(
            "CREATE TABLE users (id varchar(36) DEFAULT spanner.generate_uuid(), seen timestamptz,"
                + " PRIMARY KEY (id)); CREATE INDEX by_seen ON users (seen)",
            "WARNING rising-index by_seen"));
  }

  static List<Example> harmless() {
    return List.of(
        Example.google(USERS),
        Example.google(SHARDED),
        Example.google(SHARDED + "; CREATE INDEX BySeen ON Visits (Shard, Seen)"),
        Example.google(USERS + "; CREATE NULL_FILTERED INDEX ByScore ON Users (Score)"),
        Example.google(
            "CREATE TABLE People (BirthDate DATE NOT NULL, Id STRING(36)) PRIMARY KEY (BirthDate,"
                + " Id)"),
        Example.google(
            "CREATE TABLE Films (ReleaseDate DATE NOT NULL, Id STRING(36)) PRIMARY KEY (ReleaseDate,"
                + " Id)"),
        Example.google("CREATE TABLE Only (Present BOOL NOT NULL) PRIMARY KEY (Present)"),
        Example.google(
            "CREATE TABLE Jobs (IsOpen BOOL NOT NULL, Id STRING(36), Due TIMESTAMP) PRIMARY KEY"
                + " (IsOpen, Id, Due); CREATE INDEX Open ON Jobs (Id, IsOpen, Due)"),
        Example.google(USERS + "; CREATE INDEX ByScore ON Users (Score)"),
        Example.google("CREATE TABLE Names (Name STRING(36)) PRIMARY KEY (Name)"),
        Example.google(
            "CREATE TABLE Names (A STRING(9), B STRING(9), C STRING(9), D STRING(9), E STRING(9))"
                + " PRIMARY KEY (A, B, C, D, E)"),
        Example.google(
            "CREATE TABLE AccessLog (UserId STRING(36) NOT NULL, Seen TIMESTAMP) PRIMARY KEY"
                + " (UserId, Seen)"),
        Example.google(
            "CREATE TABLE Jobs (Id STRING(36), Shop STRING(36), Begun TIMESTAMP, Ended TIMESTAMP,"
                + " Length INT64 AS (TIMESTAMP_DIFF(Ended, Begun, SECOND)) STORED, Hour INT64 AS"
                + " (EXTRACT(HOUR FROM Begun AT TIME ZONE 'UTC')) STORED, ByShop STRING(99) AS"
                + " (CONCAT(Shop, '#', FORMAT_TIMESTAMP('%F', Begun, 'UTC'))) STORED, ElapsedTimeMs"
                + " INT64, ViewsPerDay INT64, TimeoutSeconds INT64) PRIMARY KEY (Id);"
                + " CREATE INDEX ByLength ON Jobs (Length); CREATE INDEX ByHour ON Jobs (Hour);"
                + " CREATE INDEX ByShop1 ON Jobs (ByShop); CREATE INDEX ByElapsed ON Jobs"
                + " (ElapsedTimeMs); CREATE INDEX ByViews ON Jobs (ViewsPerDay);"
                + " CREATE INDEX ByTimeout ON Jobs (TimeoutSeconds)"),
        Example.google(
            "CREATE TABLE Lines (OrderId STRING(36), LineNo INT64, OtherId INT64) PRIMARY KEY"
                + " (OrderId, LineNo); CREATE INDEX ByOther ON Lines (OtherId)"),
        Example.google(
            "CREATE SEQUENCE Ids OPTIONS (sequence_kind = 'bit_reversed_positive');"
                + " CREATE TABLE Orders (Id INT64 NOT NULL DEFAULT (GET_NEXT_SEQUENCE_VALUE("
                + "SEQUENCE Ids))) PRIMARY KEY (Id)"),
        Example.google(
            "CREATE TABLE Orders (Id INT64 NOT NULL GENERATED BY DEFAULT AS IDENTITY"
                + " (BIT_REVERSED_POSITIVE)) PRIMARY KEY (Id)"),
        Example.postgres(
            "CREATE TABLE orders (id bigint GENERATED BY DEFAULT AS IDENTITY"
                + " (BIT_REVERSED_POSITIVE), PRIMARY KEY (id))"),
        Example.postgres(
            "CREATE TABLE users (id varchar(36) NOT NULL, score bigint, PRIMARY KEY (id));"
                + " CREATE INDEX by_score ON users (score) WHERE score IS NOT NULL"));
  }

  private static Advice advice(Example example) {
    return Described.advice(example.dialect(), example.ddl().toArray(String[]::new));
  }

  private static List<String> names(Advice advice) {
    return advice.findings().stream()
        .map(found -> found.severity() + " " + found.rule().id() + " " + found.object())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("hotspots")
  void eachHotspotIsFoundAndNothingElse(Example example) {
    assertThat(names(advice(example))).containsExactlyInAnyOrderElementsOf(example.findings());
  }

  @ParameterizedTest
  @MethodSource("harmless")
  void aKeyThatSpreadsHasNoFinding(Example example) {
    Advice advice = advice(example);
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes()).isEmpty();
    assertThat(advice.tables()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(DdlDialect.class)
  void aNumberThatIdentifiesARowOrLeadsItsKeyIsNotedAsUnknown(DdlDialect dialect) {
    String[] ddl =
        dialect == POSTGRESQL
            ? new String[] {
              "CREATE TABLE orders (id bigint, number bigint, shop_id bigint, PRIMARY KEY (id))",
              "CREATE UNIQUE INDEX by_number ON orders (number)",
              "CREATE INDEX by_shop ON orders (shop_id)",
              "CREATE TABLE lines (id bigint, line_no bigint, PRIMARY KEY (id, line_no))",
              "CREATE TABLE visits (visitor_id bigint, page bigint, PRIMARY KEY (visitor_id, page))"
            }
            : new String[] {
              "CREATE TABLE orders (id INT64 NOT NULL, number INT64, shop_id INT64) PRIMARY KEY"
                  + " (id)",
              "CREATE UNIQUE INDEX by_number ON orders (number)",
              "CREATE INDEX by_shop ON orders (shop_id)",
              "CREATE TABLE lines (id INT64, line_no INT64) PRIMARY KEY (id, line_no)",
              "CREATE TABLE visits (visitor_id INT64, page INT64) PRIMARY KEY (visitor_id, page)"
            };
    Advice advice = Described.advice(dialect, ddl);
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes())
        .singleElement()
        .asString()
        .contains("hotspot: orders.id, orders.number, visits.visitor_id");
  }

  @ParameterizedTest
  @EnumSource(DdlDialect.class)
  void aTimeThatMayBeALengthIsNotedOnceWhereverItLeads(DdlDialect dialect) {
    String[] ddl =
        dialect == POSTGRESQL
            ? new String[] {
              "CREATE TABLE scans (scan_time bigint, id varchar(36), PRIMARY KEY (scan_time, id))",
              "CREATE INDEX by_scan ON scans (scan_time DESC, id)",
              "CREATE TABLE jobs (id varchar(36), status varchar(9), run_time bigint, block_time"
                  + " varchar(9), PRIMARY KEY (id))",
              "CREATE INDEX by_status ON jobs (status, run_time)",
              "CREATE INDEX by_block ON jobs (block_time)",
              "CREATE TABLE moods (kind varchar(9), race_time bigint, PRIMARY KEY (kind, race_time))"
            }
            : new String[] {
              "CREATE TABLE scans (scan_time INT64, id STRING(36)) PRIMARY KEY (scan_time, id)",
              "CREATE INDEX by_scan ON scans (scan_time DESC, id)",
              "CREATE TABLE jobs (id STRING(36), status STRING(9), run_time INT64, block_time"
                  + " STRING(9)) PRIMARY KEY (id)",
              "CREATE INDEX by_status ON jobs (status, run_time)",
              "CREATE INDEX by_block ON jobs (block_time)",
              "CREATE TABLE moods (kind STRING(9), race_time INT64) PRIMARY KEY (kind, race_time)"
            };
    Advice advice = Described.advice(dialect, ddl);
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes())
        .singleElement()
        .asString()
        .contains("times of events")
        .contains(": ")
        .satisfies(
            note ->
                assertThat(note.substring(note.lastIndexOf(": ") + 2).split(", "))
                    .containsExactlyInAnyOrder(
                        "scans.scan_time", "jobs.run_time", "jobs.block_time", "moods.race_time"));
  }

  @ParameterizedTest
  @MethodSource("hotspots")
  void aHotspotHasARemedy(Example example) {
    assertThat(advice(example).from(Severity.WARNING))
        .allSatisfy(finding -> assertThat(finding.remedyText()).isNotEmpty());
  }

  @Test
  void aTableOfAnotherSchemaIsNamedWithIt() {
    Advice advice =
        Described.advice(
            GOOGLESQL,
            "CREATE SCHEMA shop",
            "CREATE TABLE shop.Rates (Day DATE NOT NULL) PRIMARY KEY (Day)",
            "CREATE TABLE shop.Users (Id STRING(36) NOT NULL, Seen TIMESTAMP) PRIMARY KEY (Id)",
            "CREATE INDEX shop.BySeen ON shop.Users (Seen)");
    assertThat(names(advice))
        .containsExactly("WARNING rising-key shop.Rates", "WARNING rising-index shop.BySeen");
  }

  @Test
  void reportsIgnoredFindingsAndNeedlessSuppressions() {
    Advice advice =
        SchemaAdvisor.ofFiles(Path.of("a.sql"))
            .ignoring(Rule.RISING_KEY, "rates", "one row a day")
            .ignoring(Rule.RISING_INDEX, "ByDay", "gone")
            .advice(
                Described.parsed(
                    GOOGLESQL, List.of("CREATE TABLE Rates (Day DATE) PRIMARY KEY (Day)")));
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.ignored())
        .extracting(each -> each.finding().rule(), Ignored::reason)
        .containsExactly(tuple(Rule.RISING_KEY, "one row a day"));
    assertThat(advice.needless()).containsExactly("rising-index ByDay");
  }

  @Test
  void ignoringNeedsAReasonAndAKnownRule() {
    SchemaAdvisor advisor = SchemaAdvisor.ofFiles(Path.of("a.sql"));
    assertThatThrownBy(() -> advisor.ignoring(Rule.RISING_KEY, "Rates", " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rising-key of Rates");
    assertThatThrownBy(() -> Rule.of("hot"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'hot'")
        .hasMessageEndingWith("rising-key, few-values, long-key, rising-index");
  }

  @Test
  void theMostSevereComesFirst() {
    Advice advice =
        Described.advice(
            GOOGLESQL,
            "CREATE TABLE A (Name STRING(9000)) PRIMARY KEY (Name)",
            "CREATE TABLE B (Day DATE NOT NULL) PRIMARY KEY (Day)",
            "CREATE TABLE C (Day DATE NOT NULL DEFAULT (CURRENT_DATE())) PRIMARY KEY (Day)");
    assertThat(advice.findings()).extracting(Finding::object).containsExactly("C", "B", "A");
  }
}
