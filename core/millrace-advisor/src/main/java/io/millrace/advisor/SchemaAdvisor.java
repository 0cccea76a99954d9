package io.millrace.advisor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema of files or of a database, and finds keys and indexes that send all writes to
 * one server.
 *
 * <pre>{@code
 * Advice advice = SchemaAdvisor.ofFiles(Path.of("schema.sql")).advice();
 * advice.from(Severity.WARNING).forEach(System.out::println);
 * }</pre>
 *
 * <p>{@link SpannerAdvisor} makes one for a Spanner database.
 *
 * <p>It considers types, defaults and options, and otherwise the names of tables and columns. A
 * schema does not show how much is written: use {@link #ignoring} for findings that are known to be
 * harmless. Immutable. Methods block, so they are for tests and tools.
 */
public final class SchemaAdvisor {

  private static final int MAX_SAMPLE = 100_000;

  private final Catalog catalog;
  private final Supplier<Schema> schema;

  /** Null for files. */
  private final @Nullable SchemaQuery query;

  private final int sample;
  private final List<Suppression> suppressions;

  private SchemaAdvisor(
      Catalog catalog,
      Supplier<Schema> schema,
      @Nullable SchemaQuery query,
      int sample,
      List<Suppression> suppressions) {
    this.catalog = catalog;
    this.schema = schema;
    this.query = query;
    this.sample = sample;
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
   * what earlier ones create. What is not understood is left out, and is one of the notes. A
   * comment in a file may call a finding harmless: {@code -- advise:ignore RULE REASON}.
   *
   * @param dialect the dialect of all files
   * @param files the files of one schema, in this order. A folder stands for all files in it, at
   *     any depth, whose names end in .sql or .ddl: by name, and V2 before V10
   * @return the advisor, which reads the files for each {@link #advice}
   * @throws IllegalArgumentException if there are no files
   */
  public static SchemaAdvisor ofFiles(DdlDialect dialect, Path... files) {
    List<Path> all = List.of(files);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a file is needed");
    }
    return new SchemaAdvisor(
        dialect.catalog(), () -> SchemaFiles.read(dialect, all), null, 0, List.of());
  }

  /**
   * Returns an advisor for any database.
   *
   * @param catalog the kind of the database
   */
  public static SchemaAdvisor of(Catalog catalog, SchemaQuery query) {
    Objects.requireNonNull(catalog, "catalog");
    Objects.requireNonNull(query, "query");
    return new SchemaAdvisor(
        catalog, () -> new SchemaReader(catalog, query).read(), query, 0, List.of());
  }

  /**
   * Returns an advisor for a database of the emulator. Its {@code INFORMATION_SCHEMA} does not list
   * identity columns, so the schema is read from statements, and keys from the database.
   *
   * @param ddl the statements that the emulator describes the database with
   */
  static SchemaAdvisor ofEmulator(DdlDialect dialect, SchemaQuery query, List<String> ddl) {
    DdlFile described = new DdlFile(Path.of("ddl"), String.join(";\n", ddl));
    return new SchemaAdvisor(
        dialect.catalog(), () -> SchemaFiles.of(dialect, List.of(described)), query, 0, List.of());
  }

  /**
   * Also samples the keys of the tables, to find out whether numbers are counted up, whether UUIDs
   * are random, and how many values there are. For this, the database reads the whole key column of
   * each table.
   *
   * @param rows the number of keys of each table, 20 to 100,000
   * @return a changed copy
   * @throws IllegalArgumentException if outside that range
   * @throws IllegalStateException if the schema is from files
   */
  public SchemaAdvisor sampling(int rows) {
    if (rows < Samples.ENOUGH || rows > MAX_SAMPLE) {
      throw new IllegalArgumentException(
          "a sample has " + Samples.ENOUGH + " to " + MAX_SAMPLE + " rows, was " + rows);
    }
    if (query == null) {
      throw new IllegalStateException("files have no keys to sample");
    }
    return new SchemaAdvisor(catalog, schema, query, rows, suppressions);
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
    return new SchemaAdvisor(catalog, schema, query, sample, List.copyOf(more));
  }

  /**
   * Reads the schema and applies the rules.
   *
   * @return the findings
   * @throws SchemaFileException if a file cannot be read, or if there is no table in the files
   * @throws RuntimeException if the query of a database fails
   */
  public Advice advice() {
    return advice(schema.get());
  }

  private Advice advice(Schema schema) {
    List<Finding> findings = new ArrayList<>();
    List<String> notes = new ArrayList<>(schema.notes());
    Set<String> numbers = new LinkedHashSet<>();
    Set<String> times = new LinkedHashSet<>();
    Natures natures = new Natures(catalog);
    if (query != null && sample > 0) {
      Samples samples = new Samples(catalog, query, sample, natures, findings::add, notes::add);
      schema.tables().values().forEach(samples::take);
      new Statistics(catalog, query, findings::add, notes::add).read();
    }
    Judging judging =
        new Judging(catalog, schema, natures, findings::add, numbers::add, times::add);
    KeyRules keys = new KeyRules(judging);
    IndexRules indexes = new IndexRules(judging);
    for (Table table : schema.tables().values()) {
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
              + String.join(", ", numbers)
              + (sample > 0
                  ? "; the sample does not show it either"
                  : "; a sample of the keys would show it"));
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
      Finding placed = finding.at(schema.place(finding));
      Stream.concat(
              ignored(placed, suppressions, false), ignored(placed, schema.suppressions(), true))
          .findFirst()
          .ifPresentOrElse(harmless::add, () -> told.add(placed));
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
        schema.tables().values().stream().mapToInt(table -> table.indexes().size()).sum());
  }

  private static Stream<Ignored> ignored(
      Finding finding, List<Suppression> suppressions, boolean inSource) {
    return suppressions.stream()
        .filter(each -> each.covers(finding))
        .map(each -> new Ignored(finding, each.reason(), inSource));
  }

  @Override
  public String toString() {
    return "advisor for " + catalog.name().toLowerCase(Locale.ROOT);
  }
}
