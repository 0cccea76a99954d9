/** A user's program. */
module shop {
  requires io.millrace;
  requires io.millrace.key;
}
