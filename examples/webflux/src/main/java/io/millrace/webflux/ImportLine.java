package io.millrace.webflux;

import io.millrace.r2dbc.InsertRow;
import org.jspecify.annotations.Nullable;

/**
 * One line of an import.
 *
 * @param number counts from 1
 * @param order what the line says; null if it has a fault
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

  /** Sets the columns of the row. What is thrown here rejects the line, and no other. */
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
