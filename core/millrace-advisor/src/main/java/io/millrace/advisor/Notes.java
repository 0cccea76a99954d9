package io.millrace.advisor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Token;

/** What was left out of a schema and why, in the order of files and lines. */
final class Notes {

  private record Note(Path file, int line, String sentence) {}

  private final List<Note> all = new ArrayList<>();

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

  /** A statement that does not concern keys. */
  void leftOut(DdlStatement statement) {
    add(statement, statement.first(), "left out, " + statement.firstWords() + " ...");
  }

  /** A statement that cannot be applied. */
  void leftOut(DdlStatement statement, String because) {
    add(statement, statement.first(), "left out, " + statement.firstWords() + " ...: " + because);
  }

  /** Such as the thousands of rows that a file may insert: the first of them stands for all. */
  private record Alike(Path file, String sentence) {}

  List<String> all() {
    List<Path> files = all.stream().map(Note::file).distinct().toList();
    Map<Alike, List<Note>> notes =
        all.stream()
            .sorted(
                Comparator.comparingInt((Note note) -> files.indexOf(note.file()))
                    .thenComparingInt(Note::line))
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
