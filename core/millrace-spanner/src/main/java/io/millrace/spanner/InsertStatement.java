package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An insert mutation as DML. */
final class InsertStatement {

  private InsertStatement() {}

  static Statement of(Mutation insert, Dialect dialect) {
    boolean postgreSql = dialect == Dialect.POSTGRESQL;
    List<String> columns = new ArrayList<>();
    List<String> values = new ArrayList<>();
    List<Value> bound = new ArrayList<>();
    for (Map.Entry<String, Value> column : insert.asMap().entrySet()) {
      columns.add(Identifiers.quote(dialect, column.getKey()));
      if (column.getValue().isCommitTimestamp()) {
        values.add((postgreSql ? "spanner." : "") + "pending_commit_timestamp()");
      } else {
        bound.add(column.getValue());
        values.add((postgreSql ? "$" : "@p") + bound.size());
      }
    }
    Statement.Builder statement =
        Statement.newBuilder(
            "INSERT INTO "
                + Identifiers.quote(dialect, insert.getTable())
                + " ("
                + String.join(", ", columns)
                + ") VALUES ("
                + String.join(", ", values)
                + ")");
    for (int i = 0; i < bound.size(); i++) {
      statement.bind("p" + (i + 1)).to(bound.get(i));
    }
    return statement.build();
  }
}
