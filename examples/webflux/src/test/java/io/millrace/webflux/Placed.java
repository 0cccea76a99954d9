package io.millrace.webflux;

/** An order as a client sees it. */
record Placed(String id, String customer, String item, int quantity) {

  long key() {
    return Long.parseLong(id);
  }
}
