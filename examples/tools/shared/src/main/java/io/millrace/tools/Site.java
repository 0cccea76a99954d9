package io.millrace.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * Builds a static site of README.md and the pages under docs: a page for each Markdown file, and
 * the files that they link to. A dead link is an error.
 */
public final class Site {

  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer HTML = HtmlRenderer.builder().extensions(EXTENSIONS).build();

  private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ANCHOR = Pattern.compile("\\bid=\"([^\"]*)\"");

  /** The directory of the Javadoc of each artefact, if it was built. */
  private static final String JAVADOC = "apidocs";

  private final Path project;
  private final Path site;

  private Site(Path project, Path site) {
    this.project = project;
    this.site = site;
  }

  /**
   * Builds the site.
   *
   * @param arguments the directory of the project, and that of the site
   * @throws IOException if a file cannot be read or written
   * @throws IllegalStateException if there are dead links; the message lists them
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException(
          "expected the project's directory and the site's, was " + List.of(arguments));
    }
    Site made = new Site(Path.of(arguments[0]), Path.of(arguments[1]));
    System.out.println("Wrote " + made.write() + " pages to " + made.site.resolve("index.html"));
  }

  private int write() throws IOException {
    Set<Path> pages = pages();
    for (Path page : pages) {
      Path file = site.resolve(html(page));
      Files.createDirectories(file.getParent());
      Files.writeString(file, document(page, pages));
    }
    List<String> dead = new ArrayList<>();
    for (Path page : pages) {
      dead.addAll(deadLinks(page));
    }
    if (!dead.isEmpty()) {
      throw new IllegalStateException("dead links: " + dead);
    }
    return pages.size();
  }

  /** The Markdown files, relative to the project, in the order of the navigation. */
  private Set<Path> pages() throws IOException {
    Set<Path> pages = new LinkedHashSet<>();
    pages.add(Path.of("README.md"));
    for (String directory : List.of("docs", "docs/decisions")) {
      try (Stream<Path> files = Files.list(project.resolve(directory))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .sorted()
            .map(project::relativize)
            .forEach(pages::add);
      }
    }
    pages.add(Path.of("CONTRIBUTING.md"));
    pages.add(Path.of("CHANGELOG.md"));
    return pages;
  }

  /** The page of a Markdown file; those named README are the index of their directory. */
  private static Path html(Path page) {
    String name = page.getFileName().toString();
    return page.resolveSibling(
        name.equals("README.md") ? "index.html" : name.replaceFirst("\\.md$", ".html"));
  }

  private String document(Path page, Set<Path> pages) throws IOException {
    Node content = PARSER.parse(Files.readString(project.resolve(page)));
    content.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            link.setDestination(siteLink(page, link.getDestination(), pages));
            visitChildren(link);
          }
        });
    String root = "../".repeat(page.getNameCount() - 1);
    return SiteTemplate.page(title(content), navigation(pages, root), HTML.render(content));
  }

  /** A link to a Markdown file leads to its page. */
  private static String siteLink(Path page, String destination, Set<Path> pages) {
    String[] parts = destination.split("#", 2);
    Path target = Path.of("").resolve(page.resolveSibling(parts[0])).normalize();
    if (parts[0].isEmpty() || destination.contains("://") || !pages.contains(target)) {
      return destination;
    }
    String file = html(target).getFileName().toString();
    String path = parts[0].substring(0, parts[0].lastIndexOf('/') + 1) + file;
    return parts.length == 1 ? path : path + "#" + parts[1];
  }

  private String navigation(Set<Path> pages, String root) throws IOException {
    StringBuilder links = new StringBuilder();
    for (Path page : pages) {
      if (!page.startsWith("docs/decisions") || page.endsWith("README.md")) {
        links.append("<a href=\"%s\">%s</a>\n".formatted(root + html(page), title(page)));
      }
    }
    for (String artefact : artefactsWithJavadoc()) {
      links.append(
          "<a href=\"%s%s/%s/index.html\">Javadoc of %s</a>\n"
              .formatted(root, JAVADOC, artefact, artefact));
    }
    return links.toString();
  }

  private List<String> artefactsWithJavadoc() throws IOException {
    Path javadoc = site.resolve(JAVADOC);
    if (!Files.exists(javadoc)) {
      return List.of();
    }
    try (Stream<Path> artefacts = Files.list(javadoc)) {
      return artefacts.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** The first heading of a page, as HTML text. */
  private String title(Path page) throws IOException {
    return title(PARSER.parse(Files.readString(project.resolve(page))));
  }

  private static String title(Node content) {
    for (Node node = content.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading) {
        return Drawing.escaped(TextContentRenderer.builder().build().render(node).strip());
      }
    }
    throw new IllegalStateException("a page has no heading");
  }

  /** Copies the files that a page links to, and returns its dead links. */
  private List<String> deadLinks(Path page) throws IOException {
    List<String> dead = new ArrayList<>();
    Path file = html(page);
    for (MatchResult link :
        REFERENCE.matcher(Files.readString(site.resolve(file))).results().toList()) {
      String reference = link.group(1);
      if (!reference.contains("://") && !leadsSomewhere(file, reference.split("#", 2))) {
        dead.add(page + " links to " + reference);
      }
    }
    return dead;
  }

  private boolean leadsSomewhere(Path page, String[] reference) throws IOException {
    Path target = reference[0].isEmpty() ? page : page.resolveSibling(reference[0]).normalize();
    Path file = site.resolve(target);
    Path source = project.resolve(target);
    if (!Files.exists(file) && Files.isRegularFile(source)) {
      Files.createDirectories(file.getParent());
      Files.copy(source, file);
    }
    if (!Files.exists(file)) {
      return false;
    }
    return reference.length == 1
        || ANCHOR
            .matcher(Files.readString(file))
            .results()
            .anyMatch(id -> id.group(1).equals(reference[1]));
  }
}
