package io.millrace.spanner;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Struct;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row and its key within its shard.
 *
 * @param row what was read
 * @param key its key after the shard, in the types that {@link Key.Builder#appendObject} takes
 */
record KeyedRow(Struct row, List<@Nullable Object> key) {}
