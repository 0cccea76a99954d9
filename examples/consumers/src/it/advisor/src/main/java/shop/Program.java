package shop;

import io.millrace.advisor.Advice;
import io.millrace.advisor.Finding;
import io.millrace.advisor.ReportFormat;
import io.millrace.advisor.SchemaAdvisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Advises on a file. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) throws IOException {
    ClassPath.print(arguments[0]);
    ClassPath.isOnly("millrace-advisor", "antlr4-runtime", "jspecify");
    Path file = Files.createTempFile("shop", ".sql");
    Files.writeString(file, "CREATE TABLE Rates (Day DATE NOT NULL) PRIMARY KEY (Day);");
    Advice advice = SchemaAdvisor.ofFiles(file).advice();
    ClassPath.same(advice.findings().stream().map(Finding::object).toList(), List.of("Rates"));
    ClassPath.same(ReportFormat.TEXT.print(advice).contains("rising-key"), true);
    Files.delete(file);
  }
}
