package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page docs/keys.md shows code and SQL of this module, and names the class or file. */
class KeysPageTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "keys.md");
  private static final Path MAIN = Path.of("src", "main");

  /** A fragment, with its class or file behind the name of the language. */
  private static final Pattern FRAGMENT = Pattern.compile("```(java|sql)(.*)\n([^`]*)```");

  @Test
  void everyFragmentIsInTheClassOrFileThatItNames() throws IOException {
    List<MatchResult> fragments = FRAGMENT.matcher(Files.readString(PAGE)).results().toList();
    assertThat(fragments).hasSizeGreaterThan(20);
    for (MatchResult fragment : fragments) {
      String name = fragment.group(2).strip();
      Path file =
          fragment.group(1).equals("java")
              ? MAIN.resolve("java/io/millrace/keys/" + name + ".java")
              : MAIN.resolve("resources/" + name);
      String source = squeezed(Files.readString(file));
      for (String piece : fragment.group(3).split("\n\n")) {
        assertThat(source).as(name).contains(squeezed(piece));
      }
    }
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }
}
