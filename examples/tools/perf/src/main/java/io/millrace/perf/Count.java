package io.millrace.perf;

/** A number with its noun: {@code 1 client}, {@code 2 clients}. */
record Count(long number, String noun) {

  @Override
  public String toString() {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
