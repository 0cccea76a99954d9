package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InsertRowTest {

  private final ConnectionFactory h2 = ConnectionFactories.get("r2dbc:h2:mem:///names");

  @Test
  void columnsAreCheckedWhenTheyAreSet() {
    InsertRow row = new InsertRow(List.of()).set("id", 1L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> row.set("id", 2L))
        .withMessage("column 'id' is set twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> row.set("a\n--", 2L))
        .withMessageContaining("'a\\u000A--'");
    assertThatNullPointerException()
        .isThrownBy(() -> row.set("note", nothing()))
        .withMessageContaining("'note'")
        .withMessageContaining("type");
    assertThat(row.prepared("a row").columns()).containsExactly("id");
  }

  @Test
  void aRowThatIsKeptIsNotChangedLater() {
    List<InsertRow> kept = new ArrayList<>();
    PreparedInsert<Long> prepared =
        new InsertRow.Mapper<Long>((id, row) -> kept.add(row.set("id", id))).map(1L);
    for (InsertRow row : kept) {
      assertThatIllegalStateException()
          .isThrownBy(() -> row.set("note", "late"))
          .withMessageContaining("'note' is set too late");
      assertThatIllegalStateException().isThrownBy(() -> row.set("id", null, Long.class));
    }
    assertThat(prepared.columns()).containsExactly("id");
    assertThat(prepared.values()).containsExactly(1L);
  }

  @Test
  void rowsOfOneMapperMaySetDifferentColumns() {
    InsertRow.Mapper<List<String>> mapper =
        new InsertRow.Mapper<>(
            (columns, row) -> columns.forEach(column -> row.set(column, column)));
    for (String columns : List.of("a b c", "a b c", "a b", "a b c d", "a c", "c b a", "d", "d a")) {
      List<String> names = List.of(columns.split(" "));
      PreparedInsert<List<String>> prepared = mapper.map(names);
      assertThat(prepared.columns()).isEqualTo(names);
      assertThat(prepared.values()).isEqualTo(names);
      assertThatIllegalArgumentException()
          .as("a column set twice, after %s", names)
          .isThrownBy(() -> mapper.map(Stream.concat(names.stream(), names.stream()).toList()))
          .withMessage("column '" + names.get(0) + "' is set twice");
      assertThatIllegalArgumentException()
          .as("a name that is not one, after %s", names)
          .isThrownBy(() -> mapper.map(Stream.concat(names.stream(), Stream.of("x.y")).toList()))
          .withMessageContaining("'x.y'");
    }
  }

  @SuppressWarnings("NullAway")
  private static Object nothing() {
    return null;
  }

  @Test
  void aRowHasAtLeastOneColumn() {
    InsertRow.Mapper<Integer> mapper =
        new InsertRow.Mapper<>(
            (count, row) -> {
              for (int i = 0; i < count; i++) {
                row.set("c" + i, i);
              }
            });
    assertThat(mapper.map(2_000).cells()).as("a dialect has the limit").isEqualTo(2_000);
    assertThatIllegalArgumentException().isThrownBy(() -> mapper.map(0));
  }

  @Test
  void bytesAreThoseOfTextsAndBytes() {
    InsertRow.Mapper<String> mapper =
        new InsertRow.Mapper<>(
            (text, row) ->
                row.set("text", text)
                    .set("bytes", new byte[10])
                    .set("buffer", ByteBuffer.allocate(20))
                    .set("number", 1L)
                    .set("typed", Parameters.in("abcd"))
                    .set("nothing", null, String.class));
    assertThat(mapper.map("abc").bytes()).isEqualTo(3 + 10 + 20 + 8 + 4 + 1);
  }

  @Test
  void aNullHasTheClassOfItsColumnAndAnOutParameterIsNone() {
    assertThat(ColumnValues.typeOfNull(ColumnValues.of(null, String.class)))
        .isEqualTo(String.class);
    assertThat(ColumnValues.typeOfNull(Parameters.in(String.class))).isEqualTo(String.class);
    assertThat(ColumnValues.typeOfNull(Parameters.in(R2dbcType.VARCHAR))).isNull();
    assertThat(ColumnValues.typeOfNull(Parameters.out(String.class))).isNull();
    assertThat(ColumnValues.typeOfNull("text")).isNull();
  }

  @Test
  void namesAreCheckedWhenThePipelineIsMade() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> R2dbcInserts.into(h2, "orders\n", (row, columns) -> {}))
        .withMessageContaining("'orders\\u000A'");
    R2dbcInserts.into(h2, "cat.shop.order-lines", (row, columns) -> {});
    R2dbcInserts<Object> inserts = R2dbcInserts.into(h2, "orders", (row, columns) -> {});
    assertThatIllegalArgumentException().isThrownBy(inserts::key).withMessageContaining("0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inserts.key("a", "a"))
        .withMessageContaining("[a, a]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inserts.key("a.b"))
        .withMessageContaining("'a.b'");
    assertThatIllegalArgumentException().isThrownBy(() -> inserts.maxCells(10_000_001));
    assertThatIllegalArgumentException().isThrownBy(() -> inserts.maxBytes(100_000_001));
  }
}
