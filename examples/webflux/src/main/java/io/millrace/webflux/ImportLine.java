package io.millrace.webflux;

import io.millrace.r2dbc.InsertRow;
import org.jspecify.annotations.Nullable;

/**
 * One line of an import.
 *
 * @param number from 1
 * @param order the order of the line; null if the line has a fault
 * @param fault why there is no order; null if there is one
 * @param id the order's id; 0 before it has one
 */
record ImportLine(long number, @Nullable NewOrder order, @Nullable String fault, long id) {

  static ImportLine of(long number, NewOrder order) {
    return new ImportLine(number, order, null, 0);
  }

  static ImportLine faulty(long number, String fault) {
    return new ImportLine(number, null, fault, 0);
  }

  ImportLine withId(long assigned) {
    return new ImportLine(number, order, fault, assigned);
  }

  /** Sets the columns of the row. An exception here rejects this line only. */
  void writeTo(InsertRow row) {
    if (order == null) {
      throw new IllegalArgumentException(fault);
    }
    row.set("id", id)
        .set("customer", order.customer())
        .set("item", order.item())
        .set("quantity", order.quantity());
  }
}
