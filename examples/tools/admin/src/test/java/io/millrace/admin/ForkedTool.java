package io.millrace.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A run of the tool in a process of its own.
 *
 * @param status its exit status
 */
record ForkedTool(int status, String out, String err) {

  static ForkedTool run(Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("sequences", ".out");
    Path err = Files.createTempFile("sequences", ".err");
    try {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
      command.add(System.getProperty("java.class.path"));
      command.add(Sequences.class.getName());
      command.addAll(arguments);
      ProcessBuilder tool =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      tool.environment().putAll(environment);
      int status = tool.start().waitFor();
      return new ForkedTool(status, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
