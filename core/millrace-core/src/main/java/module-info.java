/**
 * Unique numbers for reactive programs: generators, insert pipelines, and what a database has to
 * provide for them.
 */
module io.millrace {
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires static transitive org.jspecify;

  exports io.millrace;
  exports io.millrace.insert;
  exports io.millrace.insert.spi;
  exports io.millrace.ledger;
  exports io.millrace.periodic;
  exports io.millrace.striped;
  // Not for programs. To all, since a store on the class path has no name to be given here.
  exports io.millrace.internal;
}
