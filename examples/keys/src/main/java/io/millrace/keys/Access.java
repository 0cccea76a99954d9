package io.millrace.keys;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A row of a UserAccessLog, the table of the guide "Schema design best practices".
 *
 * @param user the user
 * @param at the time
 * @param page the page that the user looked at
 */
record Access(String user, Instant at, String page) {

  static final List<String> COLUMNS = List.of("user_id", "last_access", "page");

  static final Comparator<Access> BY_TIME =
      Comparator.comparing(Access::at).thenComparing(Access::user);

  void writeTo(Mutation.WriteBuilder row) {
    row.set("user_id").to(user);
    row.set("last_access").to(Times.timestamp(at));
    row.set("page").to(page);
  }

  static Access of(Struct row) {
    return new Access(
        row.getString("user_id"),
        Times.instant(row.getTimestamp("last_access")),
        row.getString("page"));
  }
}
