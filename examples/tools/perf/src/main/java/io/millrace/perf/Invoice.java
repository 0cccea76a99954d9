package io.millrace.perf;

/**
 * The row that a request inserts.
 *
 * @param number its number; 0 before it has one
 * @param customer its other column
 */
record Invoice(long number, String customer) {

  static final String TABLE = "invoices";
  static final String NUMBER = "number";
  static final String CUSTOMER = "customer";

  Invoice withNumber(long value) {
    return new Invoice(value, customer);
  }
}
