package io.millrace.perf;

/** A database that invoices are inserted into. Its methods may block. */
interface InvoiceDatabase extends AutoCloseable {

  /** A description to print. */
  String description();

  /** A description of the requests by hand, to print. */
  String byHand();

  /** The most requests by hand at a time; others wait. */
  int mostByHand();

  /** Creates a table for one run. */
  Invoices open(Invoices.Way way);

  @Override
  void close();
}
