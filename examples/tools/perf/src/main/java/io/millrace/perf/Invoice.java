package io.millrace.perf;

/**
 * The row that a request inserts.
 *
 * @param request identifies the request; the key by which a row is looked up after a lost answer
 * @param number its number; 0 before it has one
 * @param customer its other column
 */
record Invoice(long request, long number, String customer) {

  static final String TABLE = "invoices";
  static final String REQUEST = "request";
  static final String NUMBER = "number";
  static final String CUSTOMER = "customer";

  Invoice withNumber(long value) {
    return new Invoice(request, value, customer);
  }
}
