package io.millrace.tools;

import java.util.Locale;

/**
 * A drawing of boxes, texts and arrows, as SVG. It has a background and colours of its own for a
 * light and for a dark screen. Lengths are in pixels, from the upper left corner.
 */
final class Drawing {

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
      <title>%3$s</title>
      <style>
      text { font: 14px system-ui, sans-serif; fill: #1f2328 }
      .small { font-size: 12px; fill: #59636e }
      .strong { font-weight: 600 }
      .mono { font-family: ui-monospace, monospace }
      .page { fill: #ffffff }
      .box { fill: #f6f8fa; stroke: #818b98 }
      .value { fill: #0969da }
      .late { fill: #bc4c00 }
      .idle { fill: #d1d9e0 }
      .mark { stroke: #bc4c00; stroke-width: 2; stroke-dasharray: 5 4 }
      .arrow { stroke: #59636e; stroke-width: 2; fill: none; marker-end: url(#head) }
      .head { fill: #59636e }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc }
        .small { fill: #9198a1 }
        .page { fill: #0d1117 }
        .box { fill: #151b23; stroke: #656c76 }
        .value { fill: #4493f8 }
        .late { fill: #db6d28 }
        .idle { fill: #3d444d }
        .mark { stroke: #db6d28 }
        .arrow { stroke: #9198a1 }
        .head { fill: #9198a1 }
      }
      </style>
      <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
      <rect class="page" width="%1$d" height="%2$d" rx="8"/>
      """;

  private final StringBuilder svg = new StringBuilder();

  /** An empty drawing; the title says what it shows. */
  Drawing(int width, int height, String title) {
    svg.append(String.format(Locale.ROOT, HEAD, width, height, escaped(title)));
  }

  /** Text for HTML and XML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** A rectangle in one of the styles {@code box}, {@code value}, {@code late} and {@code idle}. */
  Drawing box(String style, int x, int y, int width, int height) {
    return add(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
        style, x, y, width, height);
  }

  /**
   * A text that begins at a place; the style is {@code small}, {@code strong}, {@code mono} or "".
   */
  Drawing text(String style, int x, int y, String text) {
    return add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", style, x, y, escaped(text));
  }

  /** A text whose middle is at a place. */
  Drawing centered(String style, int x, int y, String text) {
    return add(
        "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
        style, x, y, escaped(text));
  }

  /** A straight arrow. */
  Drawing arrow(int fromX, int fromY, int toX, int toY) {
    return add("<path class=\"arrow\" d=\"M%d %dL%d %d\"/>", fromX, fromY, toX, toY);
  }

  /** A dashed line. */
  Drawing mark(int fromX, int fromY, int toX, int toY) {
    return add("<path class=\"mark\" d=\"M%d %dL%d %d\"/>", fromX, fromY, toX, toY);
  }

  private Drawing add(String form, Object... arguments) {
    svg.append(String.format(Locale.ROOT, form, arguments)).append('\n');
    return this;
  }

  String svg() {
    return svg + "</svg>\n";
  }
}
