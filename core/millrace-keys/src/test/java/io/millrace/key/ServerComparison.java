package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import com.google.cloud.spanner.Value;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;

/** Lets the server evaluate an expression over many inputs, and compares what it gives. */
abstract class ServerComparison {

  private EmulatorDatabase database;

  @BeforeEach
  void connect(EmulatorDatabase created) {
    database = created;
  }

  String byDialect(String googleSql, String postgreSql) {
    return database.dialect() == Dialect.POSTGRESQL ? postgreSql : googleSql;
  }

  /** Values, and the parameter that sends them. */
  record Arrays<T>(List<T> values, Value parameter) {}

  static Arrays<Long> longs(List<Long> values) {
    return new Arrays<>(values, Value.int64Array(values));
  }

  static Arrays<String> strings(List<String> values) {
    return new Arrays<>(values, Value.stringArray(values));
  }

  static Arrays<byte[]> byteArrays(List<byte[]> values) {
    return new Arrays<>(
        values, Value.bytesArray(values.stream().map(ByteArray::copyFrom).toList()));
  }

  static Arrays<Boolean> booleans(List<Boolean> values) {
    return new Arrays<>(values, Value.boolArray(values));
  }

  static Arrays<LocalDate> dates(List<LocalDate> values) {
    return new Arrays<>(
        values, Value.dateArray(values.stream().map(ServerComparison::date).toList()));
  }

  static Arrays<Instant> instants(List<Instant> values) {
    return new Arrays<>(
        values, Value.timestampArray(values.stream().map(ServerComparison::timestamp).toList()));
  }

  static Date date(LocalDate value) {
    return Date.fromYearMonthDay(value.getYear(), value.getMonthValue(), value.getDayOfMonth());
  }

  static Timestamp timestamp(Instant value) {
    return Timestamp.ofTimeSecondsAndNanos(value.getEpochSecond(), value.getNano());
  }

  /** Compares what the server gives for {@code x}, each of the inputs, with what we give. */
  <T> void assertAgreement(Arrays<T> inputs, String expression, Function<? super T, ?> ours) {
    assertAgreement(expression, inputs.values(), evaluate(inputs, expression), ours);
  }

  /** Compares what was made of the server's answers with what we give. */
  <T> void assertAgreement(
      String description, List<T> inputs, List<?> theirs, Function<? super T, ?> ours) {
    assertThat(theirs).hasSize(inputs.size()).hasSizeGreaterThanOrEqualTo(1_000);
    for (int i = 0; i < theirs.size(); i++) {
      T input = inputs.get(i);
      assertThat((Object) ours.apply(input))
          .as("%s for value %d, %s", description, i, input)
          .isEqualTo(theirs.get(i));
    }
  }

  /** Asks for the expression's value for {@code x}, each of the inputs. */
  List<Object> evaluate(Arrays<?> inputs, String expression) {
    String from =
        byDialect(
            "UNNEST(@p1) AS x WITH OFFSET AS place",
            "unnest($1) WITH ORDINALITY AS inputs(x, place)");
    Statement query =
        Statement.newBuilder("SELECT " + expression + " FROM " + from + " ORDER BY place")
            .bind("p1")
            .to(inputs.parameter())
            .build();
    List<Object> results = new ArrayList<>();
    try (ResultSet rows = database.client().singleUse().executeQuery(query)) {
      while (rows.next()) {
        results.add(value(rows));
      }
    }
    return results;
  }

  /** A number, a text, or the hexadecimal digits of bytes. */
  private static Object value(ResultSet row) {
    Type.Code type = row.getColumnType(0).getCode();
    return switch (type) {
      case INT64 -> row.getLong(0);
      case BYTES -> HexFormat.of().formatHex(row.getBytes(0).toByteArray());
      default -> row.getString(0);
    };
  }
}
