package io.millrace.webflux;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.r2dbc.InsertRow;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.Table;

/**
 * The stored invoice of an order. An order has at most one.
 *
 * @param order the id of the order; a string in JSON
 * @param number from 1, without gaps; 0 before the invoice is written
 * @param cents the amount
 */
@Table("invoices")
record Invoice(
    @Id @Column("order_id") @JsonFormat(shape = JsonFormat.Shape.STRING) long order,
    long number,
    int cents) {

  Invoice withNumber(long taken) {
    return new Invoice(order, taken, cents);
  }

  void writeTo(InsertRow row) {
    row.set("order_id", order).set("number", number).set("cents", cents);
  }
}
