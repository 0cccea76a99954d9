package io.millrace.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws the pictures of the documents. */
public final class Diagrams {

  private Diagrams() {}

  /**
   * Writes the pictures.
   *
   * @param arguments the directory
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException(
          "expected the directory for the pictures, was " + List.of(arguments));
    }
    for (Map.Entry<String, Drawing> each : all().entrySet()) {
      Files.writeString(Path.of(arguments[0]).resolve(each.getKey()), each.getValue().svg());
    }
  }

  /** All pictures, by the names of their files. */
  static Map<String, Drawing> all() {
    return new TreeMap<>(
        Map.of("generator.svg", generator(), "pipeline.svg", pipeline(), "turns.svg", turns()));
  }

  private static Drawing generator() {
    Drawing to =
        new Drawing(
            880,
            270,
            "A generator: subscribers take values from a buffer, which reservations fill from the"
                + " database");
    to.centered("strong", 95, 30, "your program");
    List<String> calls = List.of("next()", "values()", "assign(…)");
    for (int i = 0; i < calls.size(); i++) {
      int y = 50 + 42 * i;
      to.box("box", 20, y, 150, 32).centered("mono", 95, y + 21, calls.get(i));
      to.arrow(258, y + 16, 176, y + 16);
    }
    to.centered("strong", 425, 30, "the generator's buffer").box("box", 260, 50, 330, 116);
    for (int i = 0; i < 14; i++) {
      to.box(i < 9 ? "value" : "late", 276 + 22 * i, 76, 16, 32);
    }
    to.mark(471, 60, 471, 158);
    to.text("small", 276, 142, "values, taken from the left")
        .text("small", 480, 142, "low watermark");
    to.text("small", 260, 196, "When no more than the low watermark is left,");
    to.text("small", 260, 213, "the next reservation starts in the background.");
    to.text("small", 260, 230, "A subscriber that finds the buffer empty waits,");
    to.text("small", 260, 247, "first come, first served.");
    to.arrow(676, 108, 596, 108);
    to.centered("small", 636, 98, "a block");
    to.centered("strong", 770, 30, "the database").box("box", 680, 50, 180, 116);
    to.centered("small", 770, 74, "table sequences");
    to.text("mono", 692, 108, "invoice_id").text("mono", 796, 108, "5,001");
    to.text("mono", 692, 134, "order_id").text("mono", 796, 134, "91,000");
    to.text("small", 680, 196, "A reservation is one transaction")
        .text("small", 680, 213, "that moves the counter past");
    return to.text("small", 680, 230, "a block of values.");
  }

  private static Drawing pipeline() {
    Drawing to =
        new Drawing(
            880, 250, "An insert pipeline: numbers, shards, groups, transactions, outcomes");
    step(to, 20, "Flux<Order>", "rows arrive");
    step(to, 190, "assign", "an id for each row");
    step(to, 360, "shard", "spreads the keys");
    to.arrow(152, 76, 186, 76).arrow(322, 76, 356, 76);
    to.centered("strong", 600, 30, "groups");
    for (int group = 0; group < 3; group++) {
      int y = 44 + 46 * group;
      to.box("box", 530, y, 140, 36);
      for (int row = 0; row < 5 - group; row++) {
        to.box("value", 540 + 24 * row, y + 9, 18, 18);
      }
      to.arrow(492, 76, 526, y + 18).arrow(674, y + 18, 706, y + 18);
    }
    to.centered("strong", 785, 30, "transactions").box("box", 710, 44, 150, 128);
    to.text("", 726, 78, "Committed").text("", 726, 112, "Rejected").text("", 726, 146, "Unknown");
    to.text(
        "small",
        20,
        206,
        "A group is written when it is full, when its oldest row has waited for the maximum delay, or when the rows end.");
    return to.text(
        "small",
        20,
        226,
        "Each row is written once, also when the answer to a commit is lost. outcomes() says what became of each row.");
  }

  private static void step(Drawing to, int x, String name, String text) {
    to.box("box", x, 50, 130, 52).centered("mono", x + 65, 81, name);
    to.centered("small", x + 65, 122, text);
  }

  private static Drawing turns() {
    Drawing to =
        new Drawing(
            880, 220, "Transactions that use the same gapless sequence run one after another");
    for (int i = 0; i < 4; i++) {
      int y = 22 + 34 * i;
      int begin = 150;
      int turn = begin + 150 * i;
      to.text("", 20, y + 17, "transaction " + (i + 1));
      if (i > 0) {
        to.box("idle", begin, y, turn - begin - 4, 24);
      }
      to.box("value", turn, y, 146, 24);
      to.text("mono", turn + 156, y + 17, "number " + (i + 1));
    }
    to.box("idle", 150, 176, 18, 14)
        .text("small", 176, 188, "waits for its turn and keeps its session");
    to.box("value", 440, 176, 18, 14);
    return to.text("small", 466, 188, "reads the counter, does the application's work, commits");
  }
}
