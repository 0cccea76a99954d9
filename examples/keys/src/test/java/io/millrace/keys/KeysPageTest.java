package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page docs/keys.md shows code of this module, and names the class that it is from. */
class KeysPageTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "keys.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "millrace", "keys");

  /** A fragment, with the name of its class behind the name of the language. */
  private static final Pattern FRAGMENT = Pattern.compile("```java(.*)\n([^`]*)```");

  @Test
  void everyFragmentIsInTheClassThatItNames() throws IOException {
    List<MatchResult> fragments = FRAGMENT.matcher(Files.readString(PAGE)).results().toList();
    assertThat(fragments).hasSizeGreaterThan(10);
    for (MatchResult fragment : fragments) {
      String name = fragment.group(1).strip();
      String source = squeezed(Files.readString(SOURCES.resolve(name + ".java")));
      for (String piece : fragment.group(2).split("\n\n")) {
        assertThat(source).as("the source of " + name).contains(squeezed(piece));
      }
    }
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }
}
