package io.millrace.advisor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;

/**
 * A finding that is known to be harmless.
 *
 * @param rule its rule
 * @param object the table or the index
 * @param reason why
 */
record Suppression(Rule rule, String object, String reason) {

  private static final Pattern COMMENT = Pattern.compile("advise:ignore\\b\\s*(\\S*)[ \\t]*(.*)");

  boolean covers(Finding finding) {
    return finding.rule() == rule && finding.object().equalsIgnoreCase(object);
  }

  /**
   * Reads a file with a rule, a table or an index, and a reason on each line. A line may be empty
   * or a comment that begins with a number sign.
   *
   * @throws SchemaFileException if the file cannot be read, or a line says something else
   */
  static List<Suppression> inFile(Path path) {
    List<Suppression> found = new ArrayList<>();
    List<String> lines = DdlFile.read(path).text().lines().map(String::strip).toList();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isEmpty() && !lines.get(i).startsWith("#")) {
        found.add(ofLine(path, i + 1, lines.get(i)));
      }
    }
    return found;
  }

  private static Suppression ofLine(Path path, int number, String line) {
    String[] words = line.split("\\s+", 3);
    if (words.length < 3) {
      throw new SchemaFileException(
          path, number, "a rule, a table or an index, and a reason are needed");
    }
    try {
      return new Suppression(Rule.of(words[0]), words[1], words[2]);
    } catch (IllegalArgumentException unknown) {
      throw new SchemaFileException(path, number, String.valueOf(unknown.getMessage()));
    }
  }

  static boolean isIn(Token comment) {
    return COMMENT.matcher(comment.getText()).find();
  }

  /**
   * What the comments of a statement say.
   *
   * @param object the table or the index that the statement creates
   * @throws SchemaFileException if a comment has no rule or no reason
   */
  static List<Suppression> in(DdlStatement statement, String object) {
    List<Suppression> found = new ArrayList<>();
    for (Token comment : statement.comments()) {
      Matcher matcher = COMMENT.matcher(comment.getText());
      while (matcher.find()) {
        int line =
            comment.getLine()
                + (int)
                    comment
                        .getText()
                        .substring(0, matcher.start())
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
        String reason = matcher.group(2).replace("*/", "").strip();
        if (reason.isEmpty()) {
          throw refused(statement, line, "needs a rule and a reason");
        }
        try {
          found.add(new Suppression(Rule.of(matcher.group(1)), object, reason));
        } catch (IllegalArgumentException unknown) {
          throw refused(statement, line, "has " + unknown.getMessage());
        }
      }
    }
    return found;
  }

  /**
   * Refuses comments at a statement that creates neither.
   *
   * @throws SchemaFileException if there is one
   */
  static void refuse(DdlStatement statement) {
    statement.comments().stream()
        .filter(Suppression::isIn)
        .findFirst()
        .ifPresent(
            comment -> {
              throw refused(statement, comment.getLine(), "belongs to no table and no index");
            });
  }

  private static SchemaFileException refused(DdlStatement statement, int line, String why) {
    return new SchemaFileException(statement.file(), line, "the comment advise:ignore " + why);
  }
}
