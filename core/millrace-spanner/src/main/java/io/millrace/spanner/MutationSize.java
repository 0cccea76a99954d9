package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Type;
import com.google.cloud.spanner.Value;
import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What mutations add to a commit, by the rules of Spanner's limits: a write counts one cell for
 * each column, and values have the sizes of Spanner's storage.
 */
final class MutationSize {

  /** Spanner refuses a commit that writes more cells, index entries included. */
  static final long MAX_CELLS = 80_000;

  /** Spanner refuses a commit that is larger, indexes included. */
  static final long MAX_BYTES = 100_000_000;

  private MutationSize() {}

  static long cells(List<Mutation> mutations, int indexEntries) {
    long cells = 0;
    for (Mutation mutation : mutations) {
      int columns = mutation.getOperation() == Mutation.Op.DELETE ? 1 : mutation.asMap().size();
      cells += columns + (long) indexEntries;
    }
    return cells;
  }

  static long bytes(List<Mutation> mutations) {
    long bytes = 0;
    for (Mutation mutation : mutations) {
      if (mutation.getOperation() != Mutation.Op.DELETE) {
        for (Value value : mutation.getValues()) {
          bytes += bytes(value);
        }
      }
    }
    return bytes;
  }

  private static long bytes(Value value) {
    if (value.isNull()) {
      return 1;
    }
    Type type = value.getType();
    if (type == null) { // of Value.untyped
      return utf8(value.getAsString());
    }
    return switch (type.getCode()) {
      case BOOL -> 1;
      case FLOAT32, DATE -> 4;
      case INT64, FLOAT64, ENUM, PG_OID -> 8;
      case TIMESTAMP -> 12;
      case UUID -> 16;
      case BYTES, PROTO -> value.getBytes().length();
      case ARRAY -> value.getAsStringList().stream().mapToLong(MutationSize::utf8).sum();
      default -> utf8(value.getAsString());
    };
  }

  private static long utf8(String text) {
    try {
      return Utf8.encodedLength(text);
    } catch (IllegalArgumentException unpaired) { // Spanner reports it
      return text.getBytes(StandardCharsets.UTF_8).length;
    }
  }
}
