package io.millrace.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the project's pages show as code. */
final class DocumentedCode {

  static final Path ROOT = Path.of("..", "..", "..").toAbsolutePath().normalize();

  /**
   * A line of code.
   *
   * @param page the page
   * @param isBlock whether it is in a block of code; otherwise it is in a sentence
   * @param command the line
   */
  record Shown(String page, boolean isBlock, String command) {

    boolean begins(String regex) {
      return Pattern.compile(regex).matcher(command).lookingAt();
    }
  }

  private DocumentedCode() {}

  static List<String> all(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().map(match -> match.group(1)).toList();
  }

  /** As a shell splits them. */
  static List<String> words(String command) {
    return all("((?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+)", command).stream()
        .map(word -> word.replaceAll("['\"]", ""))
        .toList();
  }

  static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  /** Lines of code blocks, and code in sentences, without prompts, variables and comments. */
  static List<Shown> code() throws IOException {
    List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("CONTRIBUTING.md"));
    List<Shown> code = new ArrayList<>();
    for (Path page : pages) {
      String[] parts = Files.readString(page).replaceAll("\\\\\n\\s*", "").split("```", -1);
      for (int i = 0; i < parts.length; i++) {
        boolean isBlock = i % 2 == 1;
        all(isBlock ? "(?m)^(?:\\$ )?(.+)$" : "`([^`\n]+)`", parts[i]).stream()
            .map(each -> each.replaceFirst("^([A-Z_]+=\\S+ )+", "").replaceFirst("\\s+# .*", ""))
            .forEach(each -> code.add(new Shown(ROOT.relativize(page).toString(), isBlock, each)));
      }
    }
    return code;
  }
}
