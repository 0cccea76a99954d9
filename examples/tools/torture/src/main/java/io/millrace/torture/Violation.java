package io.millrace.torture;

/**
 * A broken promise.
 *
 * @param promise which one
 * @param what the values and processes that break it
 */
record Violation(String promise, String what) {

  @Override
  public String toString() {
    return promise + ": " + what;
  }
}
