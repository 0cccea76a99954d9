/** Unique numbers for reactive programs: generators, insert pipelines, interfaces for databases. */
module io.millrace {
  requires transitive org.reactivestreams;
  requires transitive reactor.core;
  requires static transitive org.jspecify;

  exports io.millrace;
  exports io.millrace.insert;
  exports io.millrace.insert.spi;
  exports io.millrace.periodic;
  // Internal. Exported to all, because a store on the class path has no module name.
  exports io.millrace.internal;
}
