package shop;

import io.millrace.test.emulator.SpannerTest;

/** Names the annotation of a test. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has(
        "millrace-spanner-test", "millrace-core", "google-cloud-spanner", "junit-jupiter-api");
    ClassPath.lacks("millrace-spanner-0", "testcontainers", "r2dbc", "spring", "assertj");
    ClassPath.same(SpannerTest.class.isAnnotation(), true);
  }
}
