/** Meters of generators and observations of reservations. */
module io.millrace.micrometer {
  requires transitive io.millrace;
  requires transitive reactor.core;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires micrometer.commons;
  requires static transitive org.jspecify;

  exports io.millrace.micrometer;
}
