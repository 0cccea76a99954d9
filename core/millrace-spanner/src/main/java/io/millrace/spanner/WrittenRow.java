package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Value;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row found under the key of an insert.
 *
 * @param values of the columns of the insert, in its order
 */
record WrittenRow(List<Value> values) {

  /** Whether the insert could have made this row. Any commit timestamp matches. */
  boolean isOf(Mutation insert) {
    Iterator<Value> found = values.iterator();
    for (Value written : insert.getValues()) {
      if (!isSame(written, found.next())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(Value written, Value found) {
    if (written.isNull() || found.isNull()) {
      return written.isNull() && found.isNull();
    }
    if (written.isCommitTimestamp() || written.equals(found)) {
      return true;
    }
    return switch (found.getType().getCode()) {
      case NUMERIC, PG_NUMERIC -> isSameNumber(written.getAsString(), found.getAsString());
      case ARRAY -> false;
      default -> written.getAsString().equals(found.getAsString());
    };
  }

  private static boolean isSameNumber(String written, String found) {
    try {
      return new BigDecimal(written).compareTo(new BigDecimal(found)) == 0;
    } catch (NumberFormatException notANumber) {
      return written.equals(found);
    }
  }

  /** The commit timestamp of the row, if the insert writes it to a column. */
  @Nullable Instant committedAt(Mutation insert) {
    Iterator<Value> found = values.iterator();
    for (Value written : insert.getValues()) {
      Value value = found.next();
      if (written.isCommitTimestamp() && !value.isNull()) {
        return Instants.of(value.getTimestamp());
      }
    }
    return null;
  }
}
