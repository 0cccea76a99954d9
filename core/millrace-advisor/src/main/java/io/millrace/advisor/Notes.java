package io.millrace.advisor;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;

/** What was left out of a schema and why, in sentences that begin with file and line. */
final class Notes {

  private final List<String> all = new ArrayList<>();

  void add(Place place, String sentence) {
    all.add(place + ": " + sentence);
  }

  private void add(DdlStatement statement, int line, String sentence) {
    all.add(statement.file() + ":" + line + ": " + sentence);
  }

  void add(DdlStatement statement, Token at, String sentence) {
    add(statement, at.getLine(), sentence);
  }

  /** A part of a statement. */
  void leftOut(DdlStatement statement, Token first) {
    add(statement, first, "left out, " + first.getText() + " ...");
  }

  /** A statement that does not concern keys. */
  void leftOut(DdlStatement statement) {
    add(statement, statement.line(), "left out, " + statement.firstWords() + " ...");
  }

  /** A statement that cannot be applied. */
  void leftOut(DdlStatement statement, String because) {
    add(
        statement,
        statement.line(),
        "left out, " + statement.firstWords() + " ...: " + because);
  }

  List<String> all() {
    return List.copyOf(all);
  }
}
