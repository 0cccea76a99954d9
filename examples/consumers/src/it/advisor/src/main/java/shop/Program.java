package shop;

import io.millrace.advisor.SchemaAdvisor;

/** Names the advisor. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has("millrace-advisor", "millrace-core", "google-cloud-spanner");
    ClassPath.lacks("millrace-spanner-test", "junit", "testcontainers", "r2dbc", "assertj");
    ClassPath.same(SchemaAdvisor.class.getSimpleName(), "SchemaAdvisor");
  }
}
