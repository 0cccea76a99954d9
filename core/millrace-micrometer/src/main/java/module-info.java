/** Meters of generators and row writers. */
module io.millrace.micrometer {
  requires transitive io.millrace;
  requires transitive reactor.core;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports io.millrace.micrometer;
}
