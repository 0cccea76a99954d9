package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {

  private Path directory;

  @BeforeEach
  void use(@TempDir Path created) {
    directory = created;
  }

  private Path site() {
    return directory.resolve("site");
  }

  private void make(Path project) throws IOException {
    Site.main(new String[] {project.toString(), site().toString()});
  }

  /** A project of two pages. */
  private Path project(String readme, String page) throws IOException {
    Path project = directory.resolve("project");
    Files.createDirectories(project.resolve("docs/decisions"));
    Files.writeString(project.resolve("README.md"), readme);
    Files.writeString(project.resolve("docs/page.md"), page);
    Files.writeString(project.resolve("CONTRIBUTING.md"), "# Contributing");
    Files.writeString(project.resolve("CHANGELOG.md"), "# Changelog");
    return project;
  }

  private String html(String page) throws IOException {
    return Files.readString(site().resolve(page));
  }

  @Test
  void thisProjectsPagesMakeASiteWithoutADeadLink() throws IOException {
    make(Path.of("..", "..", ".."));
    assertThat(site().resolve("index.html")).exists();
    assertThat(site().resolve("docs/images/generator.svg")).exists();
    assertThat(html("docs/properties.html")).contains("<table>", "millrace.create-table");
    assertThat(html("docs/decisions/index.html")).contains("0001-client-version.html");
  }

  @Test
  void linksToPagesLeadToTheirHtml() throws IOException {
    make(
        project(
            "# Home\n[a page](docs/page.md#a-part)", "# A page\n[home](../README.md)\n## A part"));
    assertThat(html("index.html"))
        .contains("<title>Home - Millrace</title>", "href=\"docs/page.html#a-part\"");
    assertThat(html("docs/page.html")).contains("href=\"../index.html\"", "id=\"a-part\"");
  }

  @Test
  void theJavadocIsInTheNavigationIfItIsThere() throws IOException {
    Files.createDirectories(site().resolve("apidocs/millrace-core"));
    Files.writeString(site().resolve("apidocs/millrace-core/index.html"), "");
    make(project("# Home", "# A page"));
    assertThat(html("docs/page.html")).contains("href=\"../apidocs/millrace-core/index.html\"");
  }

  @Test
  void linksThatLeadNowhereAreAllNamed() throws IOException {
    Path project =
        project("# Home\n[a](docs/none.md) [b](docs/page.md#none)", "# A <page>\n![c](c.svg)");
    assertThatIllegalStateException()
        .isThrownBy(() -> make(project))
        .withMessageContaining("README.md links to docs/none.md")
        .withMessageContaining("README.md links to docs/page.html#none")
        .withMessageContaining("docs/page.md links to c.svg");
  }
}
