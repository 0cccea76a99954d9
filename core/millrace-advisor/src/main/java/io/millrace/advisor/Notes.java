package io.millrace.advisor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Token;

/** What was left out of a schema and what cannot be judged, in the order of files and lines. */
final class Notes {

  private record Note(Path file, int line, String sentence) {}

  private final List<Note> all = new ArrayList<>();
  private final List<Note> unjudged = new ArrayList<>();
  private final Comparator<Note> order;

  /**
   * Creates an empty list.
   *
   * @param files the files in their order
   */
  Notes(List<Path> files) {
    order =
        Comparator.comparingInt((Note note) -> files.indexOf(note.file()))
            .thenComparingInt(Note::line);
  }

  void add(Place place, String sentence) {
    add(place.file(), place.line(), sentence);
  }

  void add(DdlStatement statement, Token at, String sentence) {
    add(statement.file(), at.getLine(), sentence);
  }

  private void add(Path file, int line, String sentence) {
    all.add(new Note(file, line, Shown.line(sentence)));
  }

  /** A part of a statement; a part that is missing is at its end. */
  void leftOut(DdlStatement statement, Token first) {
    if (first.getType() == Token.EOF) {
      leftOut(statement, "it ends too early");
    } else {
      add(statement, first, "left out, " + Shown.word(first.getText()) + " ...");
    }
  }

  /** A statement whose absence hides nothing. */
  void leftOut(DdlStatement statement, String because) {
    add(statement, statement.first(), "left out, " + statement.firstWords() + " ...: " + because);
  }

  /** A statement without which a key or an index is not known. */
  void cannotJudge(DdlStatement statement, String because) {
    int line = statement.first().getLine();
    unjudged.add(new Note(statement.file(), line, statement.firstWords() + ": " + because));
  }

  /** A key or an index. */
  void cannotJudge(Place place, String sentence) {
    unjudged.add(new Note(place.file(), place.line(), sentence));
  }

  /**
   * Refuses a schema of which something cannot be judged.
   *
   * @throws SchemaFileException if so; it names the first and counts the others
   */
  void refuseUnjudged() {
    unjudged.stream()
        .min(order)
        .ifPresent(
            first -> {
              int others = unjudged.size() - 1;
              throw new SchemaFileException(
                  first.file(),
                  first.line(),
                  "cannot be judged, "
                      + first.sentence()
                      + (others == 0 ? "" : " (and " + others + " more)"));
            });
  }

  /** Such as a clause of each column: the first stands for all. */
  private record Alike(Path file, String sentence) {}

  List<String> all() {
    Map<Alike, List<Note>> notes =
        all.stream()
            .sorted(order)
            .collect(
                Collectors.groupingBy(
                    note -> new Alike(note.file(), note.sentence()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return notes.values().stream().map(Notes::text).toList();
  }

  private static String text(List<Note> alike) {
    Note first = alike.get(0);
    return first.file()
        + (":" + first.line() + ": " + first.sentence())
        + (alike.size() == 1 ? "" : " (and " + (alike.size() - 1) + " more)");
  }
}
