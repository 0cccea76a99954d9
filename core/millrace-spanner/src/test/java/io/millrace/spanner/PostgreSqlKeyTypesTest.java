package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Value;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlKeyTypesTest extends KeyTypesBehaviour {

  @Override
  Stream<Column> columns() {
    return Stream.of(
        column("boolean", Stream.of(false, true).map(Value::bool)),
        column("bigint", Stream.of(Long.MIN_VALUE, -1L, 0L, 9L, 10L).map(Value::int64)),
        column("varchar(10)", words().stream().map(Value::string)),
        column(
            "bytea",
            Stream.of(new byte[0], new byte[] {0}, new byte[] {127}, new byte[] {-128, 1})
                .map(bytes -> Value.bytes(ByteArray.copyFrom(bytes)))),
        column(
            "timestamptz",
            Stream.of("0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2024-02-29T00:00:00Z")
                .map(Timestamp::parseTimestamp)
                .map(Value::timestamp)),
        column(
            "date",
            Stream.of("0001-01-01", "1969-12-31", "9999-12-31")
                .map(Date::parseDate)
                .map(Value::date)));
  }

  private static Column column(String type, Stream<Value> values) {
    return new Column(type, false, values.toList());
  }

  @Override
  String table(String name, Column column) {
    return "CREATE TABLE %s (shard bigint, k %s, PRIMARY KEY (shard, k))"
        .formatted(name, column.type());
  }

  @Test
  void aKeyColumnHoldsNoNull(EmulatorDatabase database) {
    database.update("CREATE TABLE nulls (shard bigint, k bigint, PRIMARY KEY (shard, k))");
    assertThatExceptionOfType(SpannerException.class)
        .isThrownBy(
            () ->
                database
                    .client()
                    .writeAtLeastOnce(
                        List.of(
                            Mutation.newInsertBuilder("nulls")
                                .set("shard")
                                .to(1)
                                .set("k")
                                .to((Long) null)
                                .build())))
        .withMessageContaining("k");
  }
}
