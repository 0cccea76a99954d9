package io.millrace.advisor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.antlr.v4.runtime.Token;

/** What was left out of a schema and why, in the order of files and lines. */
final class Notes {

  private record Note(Path file, int line, String sentence) {

    @Override
    public String toString() {
      return file + ":" + line + ": " + sentence;
    }
  }

  private final List<Note> all = new ArrayList<>();

  void add(Place place, String sentence) {
    all.add(new Note(place.file(), place.line(), sentence));
  }

  void add(DdlStatement statement, Token at, String sentence) {
    all.add(new Note(statement.file(), at.getLine(), sentence));
  }

  /** A part of a statement. */
  void leftOut(DdlStatement statement, Token first) {
    add(statement, first, "left out, " + Shown.word(first.getText()) + " ...");
  }

  /** A statement that does not concern keys. */
  void leftOut(DdlStatement statement) {
    add(statement, statement.first(), "left out, " + statement.firstWords() + " ...");
  }

  /** A statement that cannot be applied. */
  void leftOut(DdlStatement statement, String because) {
    add(statement, statement.first(), "left out, " + statement.firstWords() + " ...: " + because);
  }

  List<String> all() {
    List<Path> files = all.stream().map(Note::file).distinct().toList();
    return all.stream()
        .sorted(
            Comparator.comparingInt((Note note) -> files.indexOf(note.file()))
                .thenComparingInt(Note::line))
        .map(Note::toString)
        .toList();
  }
}
