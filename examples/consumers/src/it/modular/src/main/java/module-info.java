/** A user's program. It lacks {@code requires java.sql}, which H2 needs. */
module shop {
  requires io.millrace;
  requires io.millrace.key;
  requires io.millrace.r2dbc;
  requires r2dbc.h2;
  requires r2dbc.spi;
}
