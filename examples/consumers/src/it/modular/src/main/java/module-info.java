/** A user's program. H2 needs {@code java.sql}. */
module shop {
  requires io.millrace;
  requires io.millrace.key;
  requires io.millrace.r2dbc;
  requires java.sql;
  requires r2dbc.h2;
  requires r2dbc.spi;
}
