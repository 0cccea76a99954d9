package io.millrace.advisor;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a Spanner database. */
record SpannerQuery(DatabaseClient client) implements SchemaQuery {

  @Override
  public List<List<@Nullable String>> rows(String sql) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ResultSet result = client.singleUse().executeQuery(Statement.of(sql))) {
      while (result.next()) {
        rows.add(texts(result.getCurrentRowAsStruct()));
      }
    }
    return rows;
  }

  private static List<@Nullable String> texts(Struct row) {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < row.getColumnCount(); i++) {
      texts.add(row.isNull(i) ? null : row.getValue(i).getAsString());
    }
    return texts;
  }
}
