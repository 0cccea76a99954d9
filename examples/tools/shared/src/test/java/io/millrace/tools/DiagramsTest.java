package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagramsTest {

  private static final Path IMAGES = Path.of("..", "..", "..", "docs", "images");

  @Test
  void thePicturesOfTheDocumentsAreWhatTheCommandDraws(@TempDir Path directory) throws IOException {
    Diagrams.main(new String[] {directory.toString()});
    assertThat(Diagrams.all()).isNotEmpty();
    for (String name : Diagrams.all().keySet()) {
      assertThat(IMAGES.resolve(name))
          .as("docs/images/draw draws %s", name)
          .hasSameTextualContentAs(directory.resolve(name));
    }
    try (Stream<Path> files = Files.list(IMAGES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".svg"))
          .containsExactlyInAnyOrderElementsOf(Diagrams.all().keySet());
    }
  }

  @Test
  void eachPictureIsXmlWithATitleAndColoursForTheDark() throws Exception {
    for (Drawing drawing : Diagrams.all().values()) {
      String svg = drawing.svg();
      assertThat(
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                  .getElementsByTagName("title")
                  .item(0)
                  .getTextContent())
          .isNotBlank();
      assertThat(svg).contains("prefers-color-scheme: dark");
    }
  }

  @Test
  void textIsEscaped() {
    assertThat(new Drawing(1, 1, "a < b").text("", 0, 0, "Flux<Order> & more").svg())
        .contains("a &lt; b", "Flux&lt;Order&gt; &amp; more");
  }

  @Test
  void anythingButOneDirectoryIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Diagrams.main(new String[] {"a", "b"}))
        .withMessageContaining("was [a, b]");
  }
}
