package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the name of a column says of its values. */
class WordsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CreatedAt", "created_at", "CREATED_AT", "LastAccessTime", "TickEpochMs", "CreatedMillis",
        "queue_timestamp_nanos", "unix_seconds", "UnixMicros", "day", "yyyymmdd", "shop.Orders.At",
        "time", "DateTime", "StartTime", "event_time_ms", "CompletedTime", "TimeBucket",
        "PartitionDate", "hour_partition", "ClickTime", "InsertionTime", "PickupTime", "LoginTime",
        "CheckoutTime", "CheckInTime", "LastRunTime", "execution_date"
      })
  void aTimeIsRecognised(String name) {
    assertThat(Words.of(name).nameATime()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s", "sec", "secs", "second", "seconds",
        "ms", "msec", "msecs", "milli", "millis",
        "millisec", "millisecs", "millisecond", "milliseconds", "us",
        "µs", "μs", "usec", "usecs", "micro",
        "micros", "microsec", "microsecs", "microsecond", "microseconds",
        "ns", "nsec", "nsecs", "nano", "nanos",
        "nanosec", "nanosecs", "nanosecond", "nanoseconds", "minutes",
        "mins", "hours", "days"
      })
  void aUnitDoesNotHideATime(String unit) {
    String capital = Character.toUpperCase(unit.charAt(0)) + unit.substring(1);
    assertThat(
            List.of(
                "create_time_" + unit,
                "CreateTime" + capital,
                "CreateTimeIn" + capital,
                "epoch_" + unit + "_utc",
                "CREATED_AT_" + unit.toUpperCase(Locale.ROOT)))
        .allMatch(name -> Words.of(name).nameATime());
    assertThat(List.of("duration_" + unit, "ElapsedTime" + capital, "Distance" + capital))
        .noneMatch(name -> Words.of(name).nameATime());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CreateTimeMSec", "CreateTimeMilliSeconds", "TimestampUSecs", "CreatedNSec"})
  void aUnitMayBeTwoWords(String name) {
    assertThat(Words.of(name).nameATime()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DurationSeconds", "ElapsedTimeMs", "timeout_ms", "ViewsPerDay",
        "RetentionDays", "response_time", "DayOfWeek", "BirthDate",
        "release_date", "TimeZone", "UpdatedBy", "Rate",
        "CookTime", "LapTime", "PrepTime", "RunTime",
        "run_time_ms", "TravelTimeBucket", "DeliveryTime", "EstimatedTime",
        "LoggedTime", "AllottedTime", "SpentTime", "OrderPrepTime"
      })
  void aLengthOfTimeOrADateOfTheWorldIsNoTime(String name) {
    assertThat(Words.of(name).nameATime()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "run_time_ms, true",
    "ExecutionTime, true",
    "LastLapTime, true",
    "ScanTime, true",
    "BlockTime, true",
    "AdmittedTime, true",
    "OrderPackTime, true",
    "StartTime, false",
    "LastRunTime, false",
    "CookTime, false",
    "LoggedTime, false",
    "response_time, false",
    "OrderPrepTime, false",
    "ElapsedTime, false",
    "AvgScanTime, false"
  })
  void aWordBeforeTimeThatIsNotKnownLeavesOpenWhetherItIsALength(String name, boolean open) {
    assertThat(Words.of(name).mayNameATime()).isEqualTo(open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ShardId", "bucket", "PartitionKey", "TimeHash", "created_at_shard"})
  void aShardIsRecognised(String name) {
    assertThat(Words.of(name).nameAShard()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TimeBucket", "PartitionDate", "day_partition"})
  void aPeriodOfTimeIsNoShard(String name) {
    assertThat(Words.of(name).nameAShard()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Seq", "SeqNo", "seq_no", "SequenceNumber", "ReadSeqNum",
        "ENTRY_SEQ_NR", "EventSequence", "KafkaOffset", "rownum", "CommitNumber",
        "build_no", "RowNum"
      })
  void aCounterIsRecognised(String name) {
    assertThat(Words.of(name).nameACount()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "No",
        "Order",
        "order_no",
        "InvoiceNumber",
        "SerialNumber",
        "PhoneNumber",
        "account_number",
        "SequenceId",
        "Consequence"
      })
  void anotherNumberIsNoCounter(String name) {
    assertThat(Words.of(name).nameACount()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CartUuidV7", "cart_uuid_v7", "CARTUUIDV7", "uuid7", "Uuid_V1",
        "OrderULID", "order_ulid", "KsuidOfOrder", "SnowflakeId", "tsid"
      })
  void anIdThatBeginsWithATimeIsRecognised(String name) {
    assertThat(Words.of(name).nameATimeId()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Uuid", "uuid_v4", "CARTUUIDV4", "Uuid1", "ConsulId", "SoulID", "Maxid"})
  void anotherIdIsNotTakenForOne(String name) {
    assertThat(Words.of(name).nameATimeId()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Status", "order_state", "IsOpen", "has_children", "RegionCode", "Year", "Kind"})
  void fewValuesAreRecognised(String name) {
    assertThat(Words.of(name).nameFewValues()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"StatusId", "Is", "Code", "StatedBy", "PublicKey", "Channel"})
  void aColumnThatMayHaveManyValuesIsNotTakenForOneWithFew(String name) {
    assertThat(Words.of(name).nameFewValues()).isFalse();
  }
}
