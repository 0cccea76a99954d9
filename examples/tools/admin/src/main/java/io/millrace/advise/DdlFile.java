package io.millrace.advise;

import io.millrace.advisor.Finding;
import io.millrace.advisor.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The statements of a file.
 *
 * @param path the file
 * @param statements its statements, in order
 */
record DdlFile(Path path, List<Statement> statements) {

  private static final Pattern CREATE =
      Pattern.compile(
          "CREATE\\s+(?:(?:UNIQUE|NULL_FILTERED)\\s+)*(TABLE|INDEX)\\s+(?:CONCURRENTLY\\s+)?"
              + "(?:IF\\s+NOT\\s+EXISTS\\s+)?((?:`[^`]+`|\"[^\"]+\"|[\\w.])+)",
          Pattern.CASE_INSENSITIVE);

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** The words that name a statement. */
  private static final int WORDS = 3;

  private static final Pattern PRIMARY_KEY =
      Pattern.compile("PRIMARY\\s+KEY", Pattern.CASE_INSENSITIVE);

  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|--[^\n]*", Pattern.DOTALL);

  private static final Pattern IGNORE = Pattern.compile("advise:ignore\\b\\s*(\\S*)[ \\t]*(.*)");

  /**
   * A statement.
   *
   * @param text without comments at its beginning and without its semicolon
   * @param line the line of its first word, from 1
   * @param ignored what comments before or within it say is harmless
   */
  record Statement(String text, int line, List<Harmless> ignored) {

    /** The text without comments; what is in quotes may suffer. */
    String code() {
      return COMMENT.matcher(text).replaceAll(" ").strip();
    }

    /** The kind of what it creates, TABLE or INDEX, and its name without quotes. */
    Optional<Matcher> creation() {
      return Optional.of(CREATE.matcher(code())).filter(Matcher::lookingAt);
    }

    boolean creates(String kind, String name) {
      return creation()
          .filter(matcher -> matcher.group(1).equalsIgnoreCase(kind))
          .filter(matcher -> plain(matcher.group(2)).equalsIgnoreCase(name))
          .isPresent();
    }

    String firstWords() {
      return Stream.of(code().split("\\s+")).limit(WORDS).collect(Collectors.joining(" "));
    }

    private static String plain(String name) {
      return name.replaceAll("[`\"]", "").replaceFirst("(?i)^public\\.", "");
    }
  }

  /**
   * A finding that a comment calls harmless.
   *
   * @param rule its rule
   * @param object the table or the index
   * @param reason why
   */
  record Harmless(Rule rule, String object, String reason) {}

  /** A line of a file, from 1. */
  record Place(Path path, int line, String text) {}

  /** Takes a file apart. In PostgreSQL, a backslash and a number sign are ordinary characters. */
  static DdlFile parse(Path path, String text, boolean postgreSql) {
    String plain = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    return new DdlFile(path, new Splitter(path, plain, postgreSql).split());
  }

  /** Where a finding is: the line of the primary key, or of the index. */
  Optional<Place> find(Finding finding) {
    String kind = finding.index() == null ? "TABLE" : "INDEX";
    return statements.stream()
        .filter(statement -> statement.creates(kind, finding.object()))
        .findFirst()
        .map(statement -> place(statement, kind.equals("TABLE")));
  }

  private Place place(Statement statement, boolean key) {
    String[] lines = statement.text().split("\\R", -1);
    for (int i = 0; i < lines.length; i++) {
      if (!key || PRIMARY_KEY.matcher(lines[i]).find()) {
        return new Place(path, statement.line() + i, lines[i].strip());
      }
    }
    return new Place(path, statement.line(), lines[0].strip());
  }

  /** Finds the ends of statements: semicolons outside of comments and quotes. */
  private static final class Splitter {

    private final Path path;
    private final String text;
    private final boolean postgreSql;
    private final List<Statement> statements = new ArrayList<>();
    private final List<String> comments = new ArrayList<>();

    /** Where the statement begins, or -1 before its first word. */
    private int start = -1;

    private int at;

    /** Where the last statement ended. */
    private int ended;

    Splitter(Path path, String text, boolean postgreSql) {
      this.path = path;
      this.text = text;
      this.postgreSql = postgreSql;
    }

    List<Statement> split() {
      while (at < text.length()) {
        char next = text.charAt(at);
        if (text.startsWith("--", at) || (next == '#' && !postgreSql)) {
          comment(text.indexOf('\n', at), 0);
        } else if (text.startsWith("/*", at)) {
          comment(text.indexOf("*/", at), 2);
        } else if (next == '\'' || next == '"' || next == '`') {
          begin();
          quoted(next);
        } else if (next == ';') {
          end();
          at++;
        } else {
          if (!Character.isWhitespace(next)) {
            begin();
          }
          at++;
        }
      }
      end();
      if (comments.stream().anyMatch(comment -> IGNORE.matcher(comment).find())) {
        throw new IllegalArgumentException(
            path + ": the comment advise:ignore at the end belongs to no statement");
      }
      return List.copyOf(statements);
    }

    private void begin() {
      if (start < 0) {
        start = at;
      }
    }

    private void comment(int end, int length) {
      int behind = end < 0 ? text.length() : end + length;
      String comment = text.substring(at, behind);
      if (start < 0 && !statements.isEmpty() && text.substring(ended, at).indexOf('\n') < 0) {
        behindStatement(comment);
      } else {
        comments.add(comment);
      }
      at = behind;
    }

    /** A comment on the line of a semicolon is about the statement before it. */
    private void behindStatement(String comment) {
      int last = statements.size() - 1;
      Statement statement = statements.get(last);
      List<Harmless> more = new ArrayList<>(statement.ignored());
      more.addAll(harmless(statement, List.of(comment)));
      statements.set(last, new Statement(statement.text(), statement.line(), List.copyOf(more)));
    }

    private void quoted(char quote) {
      at++;
      while (at < text.length() && text.charAt(at) != quote) {
        at += text.charAt(at) == '\\' && !postgreSql ? 2 : 1;
      }
      at = Math.min(text.length(), at + 1);
    }

    private void end() {
      if (start >= 0) {
        int line = 1 + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
        Statement statement =
            new Statement(text.substring(start, at).stripTrailing(), line, List.of());
        statements.add(new Statement(statement.text(), line, harmless(statement, comments)));
        comments.clear();
      }
      start = -1;
      ended = at;
    }

    private List<Harmless> harmless(Statement statement, List<String> comments) {
      List<Harmless> found = new ArrayList<>();
      for (String comment : comments) {
        Matcher matcher = IGNORE.matcher(comment);
        while (matcher.find()) {
          found.add(harmless(statement, matcher.group(1), matcher.group(2)));
        }
      }
      return List.copyOf(found);
    }

    private Harmless harmless(Statement statement, String rule, String rest) {
      String reason = rest.replace("*/", "").strip();
      String object =
          statement
              .creation()
              .map(created -> Statement.plain(created.group(2)))
              .orElseThrow(() -> refused(statement, "belongs to no table and no index"));
      if (reason.isEmpty()) {
        throw refused(statement, "needs a rule and a reason");
      }
      try {
        return new Harmless(Rule.of(rule), object, reason);
      } catch (IllegalArgumentException unknown) {
        throw refused(statement, "has " + unknown.getMessage());
      }
    }

    private IllegalArgumentException refused(Statement statement, String why) {
      return new IllegalArgumentException(
          path + ":" + statement.line() + ": the comment advise:ignore " + why);
    }
  }
}
