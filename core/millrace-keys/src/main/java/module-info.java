/** Functions that spread and order the keys of tables. */
module io.millrace.key {
  requires io.millrace;
  requires com.google.common;
  requires transitive reactor.core;
  requires static transitive org.jspecify;

  exports io.millrace.key;
}
