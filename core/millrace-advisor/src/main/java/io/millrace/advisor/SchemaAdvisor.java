package io.millrace.advisor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the schema of files, and finds keys and indexes that send all writes to one server.
 *
 * <pre>{@code
 * Advice advice = SchemaAdvisor.ofFiles(Path.of("schema.sql")).advice();
 * advice.from(Severity.WARNING).forEach(System.out::println);
 * }</pre>
 *
 * <p>It considers types, defaults and options, and otherwise the names of columns. A schema does
 * not show how much is written: use {@link #ignoring} for findings that are known to be harmless.
 * Immutable. Methods block, so they are for tests and tools.
 */
public final class SchemaAdvisor {

  private final DdlDialect dialect;
  private final List<Path> files;
  private final List<Suppression> suppressions;

  private SchemaAdvisor(DdlDialect dialect, List<Path> files, List<Suppression> suppressions) {
    this.dialect = dialect;
    this.files = files;
    this.suppressions = suppressions;
  }

  /**
   * Returns an advisor for files with statements in GoogleSQL.
   *
   * @param files the files of one schema, in this order; see {@link #ofFiles(DdlDialect, Path...)}
   */
  public static SchemaAdvisor ofFiles(Path... files) {
    return ofFiles(DdlDialect.GOOGLESQL, files);
  }

  /**
   * Returns an advisor for files with statements for Spanner. Later statements may alter or drop
   * what earlier ones create. A clause that is not understood is left out, and is one of the notes.
   * A comment in a file may call a finding harmless: {@code -- advise:ignore RULE REASON}.
   *
   * @param dialect the dialect of all files
   * @param files the files of one schema, in this order. A folder stands for all files in it, at
   *     any depth, whose names end in .sql, .ddl, .sdl, .psql or .pgsql: by name, and V2 before V10
   * @return the advisor, which reads the files for each {@link #advice}
   * @throws IllegalArgumentException if there are no files
   */
  public static SchemaAdvisor ofFiles(DdlDialect dialect, Path... files) {
    List<Path> all = List.of(files);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a file is needed");
    }
    return new SchemaAdvisor(dialect, all, List.of());
  }

  /**
   * Ignores a finding.
   *
   * @param object the table or the index, ignoring case
   * @param reason why it is harmless; not blank
   * @return a changed copy
   * @throws IllegalArgumentException if the reason is blank
   */
  public SchemaAdvisor ignoring(Rule rule, String object, String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "a reason is needed to ignore " + rule.id() + " of " + object);
    }
    return ignoring(List.of(new Suppression(rule, object, reason)));
  }

  /**
   * Ignores the findings that a file lists: on each line a rule, a table or an index, and a reason.
   * A line may be empty, or a comment that begins with a number sign.
   *
   * @param suppressions the file, which is read at once
   * @return a changed copy
   * @throws SchemaFileException if the file cannot be read, or a line says something else
   */
  public SchemaAdvisor ignoringThoseIn(Path suppressions) {
    return ignoring(Suppression.inFile(suppressions));
  }

  private SchemaAdvisor ignoring(List<Suppression> harmless) {
    List<Suppression> more = new ArrayList<>(suppressions);
    more.addAll(harmless);
    return new SchemaAdvisor(dialect, files, List.copyOf(more));
  }

  /**
   * Reads the schema and applies the rules.
   *
   * @return the findings
   * @throws SchemaFileException if a file cannot be read, if a key or an index cannot be judged, as
   *     its table is not in the files, or if there is no table in the files
   */
  public Advice advice() {
    return advice(SchemaFiles.read(dialect, files));
  }

  Advice advice(Schema schema) {
    List<Finding> findings = new ArrayList<>();
    List<String> notes = new ArrayList<>(schema.notes());
    Set<String> numbers = new LinkedHashSet<>();
    Set<String> times = new LinkedHashSet<>();
    Judging judging =
        new Judging(dialect, schema, new Natures(dialect), findings::add, numbers::add, times::add);
    KeyRules keys = new KeyRules(judging);
    IndexRules indexes = new IndexRules(judging);
    for (Table table : schema.tables()) {
      keys.check(table);
      indexes.check(table);
    }
    if (!times.isEmpty()) {
      notes.add(
          "the schema does not show whether these are times of events, which would be a hotspot, or"
              + " lengths of time: "
              + String.join(", ", times));
    }
    if (!numbers.isEmpty()) {
      notes.add(
          "the schema does not show whether these numbers rise, which would be a hotspot: "
              + String.join(", ", numbers));
    }
    return advice(schema, findings, notes);
  }

  private Advice advice(Schema schema, List<Finding> findings, List<String> notes) {
    List<Suppression> ignored = new ArrayList<>(suppressions);
    ignored.addAll(schema.suppressions());
    findings.sort(Finding.ORDER);
    List<Finding> told = new ArrayList<>();
    List<Ignored> harmless = new ArrayList<>();
    for (Finding finding : findings) {
      ignored.stream()
          .filter(each -> each.covers(finding))
          .findFirst()
          .ifPresentOrElse(
              each -> harmless.add(new Ignored(finding, each.reason())), () -> told.add(finding));
    }
    return new Advice(
        told,
        harmless,
        ignored.stream()
            .filter(each -> findings.stream().noneMatch(each::covers))
            .map(each -> each.rule().id() + " " + each.object())
            .toList(),
        notes,
        schema.tables().size(),
        schema.tables().stream().mapToInt(table -> table.indexes().size()).sum());
  }
}
