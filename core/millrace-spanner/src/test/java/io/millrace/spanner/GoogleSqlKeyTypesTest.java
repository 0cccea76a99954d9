package io.millrace.spanner;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Value;
import io.millrace.test.emulator.SpannerTest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

@SpannerTest
class GoogleSqlKeyTypesTest extends KeyTypesBehaviour {

  @Override
  Stream<Column> columns() {
    return Stream.of(
            both("BOOL", Stream.of(false, true, null).map(Value::bool)),
            both("INT64", Stream.of(Long.MIN_VALUE, -1L, 0L, 1L, 9L, 10L, null).map(Value::int64)),
            both("STRING(10)", Stream.concat(words().stream(), none()).map(Value::string)),
            both(
                "NUMERIC",
                Stream.of("-1E20", "-0.5", "0", "0.000000001", "2", "10", "1E20")
                    .map(BigDecimal::new)
                    .map(Value::numeric)),
            both(
                "BYTES(4)",
                Stream.of(new byte[0], new byte[] {0}, new byte[] {127}, new byte[] {-128, 1})
                    .map(bytes -> Value.bytes(ByteArray.copyFrom(bytes)))),
            both(
                "TIMESTAMP",
                Stream.of("0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999999Z")
                    .map(Timestamp::parseTimestamp)
                    .map(Value::timestamp)),
            both(
                "DATE",
                Stream.of("0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31")
                    .map(Date::parseDate)
                    .map(Value::date)))
        .flatMap(List::stream);
  }

  private static Stream<String> none() {
    return Stream.of((String) null);
  }

  private static List<Column> both(String type, Stream<Value> values) {
    List<Value> kept = new ArrayList<>(values.toList());
    return List.of(new Column(type, false, kept), new Column(type, true, kept));
  }

  @Override
  String table(String name, Column column) {
    return "CREATE TABLE %s (shard INT64, k %s) PRIMARY KEY (shard, k%s)"
        .formatted(name, column.type(), column.descending() ? " DESC" : "");
  }
}
