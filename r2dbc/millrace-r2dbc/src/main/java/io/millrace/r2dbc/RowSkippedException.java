package io.millrace.r2dbc;

import io.millrace.insert.InsertOutcome;

/**
 * The reason of a row that is {@link InsertOutcome.Rejected} because the database accepted it and
 * did not store it: a trigger or a rule skipped it. Reported for rows with a {@link
 * R2dbcInserts#key}.
 */
public final class RowSkippedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RowSkippedException() {
    super(
        "the database skipped the row without an error, as a trigger that returns NULL or a rule"
            + " does: no row has its key and its values. It takes no number",
        null,
        false,
        false);
  }
}
