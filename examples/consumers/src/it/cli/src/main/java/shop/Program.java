package shop;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs the tools as an operator does, with {@code java -jar}. */
public final class Program {

  private record Answer(int status, String text) {}

  private Program() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    ClassPath.print(arguments[0]);
    ClassPath.isOnly("millrace-cli", "millrace-core", "reactor-core", "reactive-streams", "jspecify");

    Answer created =
        run("sequences", "create", "orders", "--create-table", "--url", "r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1");
    ClassPath.same(created, new Answer(0, "Created orders. Its next value is 1."));
    ClassPath.same(run("simulate", "--rate", "0").status(), 2);
    Answer unknown = run("tortoise");
    ClassPath.same(unknown.status(), 64);
    ClassPath.same(unknown.text().lines().findFirst().orElse(""), "millrace: there is no tool 'tortoise'");
  }

  private static Answer run(String... arguments) throws IOException, InterruptedException {
    String jar =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> Path.of(entry).getFileName().toString().startsWith("millrace-cli"))
            .findFirst()
            .orElseThrow();
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text.strip());
  }
}
