package io.millrace.advisor;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Reads the schema of a database and finds keys and indexes that send all writes to one server.
 *
 * <pre>{@code
 * Advice advice = SchemaAdvisor.of(client).sampling(1_000).advice();
 * advice.from(Severity.WARNING).forEach(System.out::println);
 * }</pre>
 *
 * <p>It considers types, defaults and options, and otherwise the names of tables and columns. A
 * schema does not show how much is written: use {@link #ignoring} for findings that are known to be
 * harmless. Immutable. Methods block, so they are for tests and tools.
 */
public final class SchemaAdvisor {

  private static final int MAX_SAMPLE = 100_000;

  private record Ignored(Rule rule, String object, String reason) {

    boolean covers(Finding finding) {
      return finding.rule() == rule && finding.object().equalsIgnoreCase(object);
    }
  }

  private final Catalog catalog;
  private final SchemaQuery query;
  private final int sample;
  private final List<Ignored> ignored;
  private final Identities identities;

  private SchemaAdvisor(
      Catalog catalog,
      SchemaQuery query,
      int sample,
      List<Ignored> ignored,
      Identities identities) {
    this.catalog = catalog;
    this.query = query;
    this.sample = sample;
    this.ignored = ignored;
    this.identities = identities;
  }

  /**
   * Returns an advisor for a Spanner database.
   *
   * @param client the client of the database, whose dialect is read at once
   * @return the advisor
   */
  public static SchemaAdvisor of(DatabaseClient client) {
    return of(
        client.getDialect() == Dialect.POSTGRESQL ? Catalog.SPANNER_POSTGRESQL : Catalog.SPANNER,
        new SpannerQuery(client));
  }

  /**
   * Returns an advisor for any database.
   *
   * @param catalog the kind of the database
   * @param query runs queries
   * @return the advisor
   */
  public static SchemaAdvisor of(Catalog catalog, SchemaQuery query) {
    return new SchemaAdvisor(
        Objects.requireNonNull(catalog, "catalog"),
        Objects.requireNonNull(query, "query"),
        0,
        List.of(),
        Identities.NONE);
  }

  /**
   * Reads identity columns from statements, because the emulator does not list them in its {@code
   * INFORMATION_SCHEMA}.
   *
   * @param ddl the schema in the database's form, such as the result of {@code getDatabaseDdl}
   * @return a changed copy
   */
  public SchemaAdvisor withIdentitiesFrom(List<String> ddl) {
    return new SchemaAdvisor(catalog, query, sample, ignored, Identities.in(ddl));
  }

  /**
   * Also samples the keys of the tables, to find out whether numbers are counted up, whether UUIDs
   * are random, and how many values there are. For this, the database reads the whole key column of
   * each table.
   *
   * @param rows the number of keys of each table, 20 to 100,000
   * @return a changed copy
   * @throws IllegalArgumentException if outside that range
   */
  public SchemaAdvisor sampling(int rows) {
    if (rows < Samples.ENOUGH || rows > MAX_SAMPLE) {
      throw new IllegalArgumentException(
          "a sample has " + Samples.ENOUGH + " to " + MAX_SAMPLE + " rows, was " + rows);
    }
    return new SchemaAdvisor(catalog, query, rows, ignored, identities);
  }

  /**
   * Ignores a finding.
   *
   * @param rule its rule
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
    List<Ignored> more = new ArrayList<>(ignored);
    more.add(new Ignored(rule, object, reason));
    return new SchemaAdvisor(catalog, query, sample, List.copyOf(more), identities);
  }

  /**
   * Reads the schema and applies the rules.
   *
   * @return the findings
   * @throws RuntimeException if the schema cannot be read
   */
  public Advice advice() {
    Schema schema = new SchemaReader(catalog, query, identities).read();
    List<Finding> findings = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    Natures natures = new Natures(catalog);
    if (sample > 0) {
      Samples samples = new Samples(catalog, query, sample, natures, findings::add, notes::add);
      schema.tables().values().forEach(samples::take);
      new Statistics(catalog, query, findings::add, notes::add).read();
    }
    KeyRules keys = new KeyRules(catalog, schema, natures, findings::add, unknown::add);
    IndexRules indexes = new IndexRules(catalog, schema, natures, findings::add, unknown::add);
    for (Table table : schema.tables().values()) {
      keys.check(table);
      indexes.check(table);
    }
    if (!unknown.isEmpty()) {
      notes.add(
          "the schema does not show whether these numbers are counted up, which would be a"
              + " hotspot: "
              + String.join(", ", unknown)
              + (sample > 0
                  ? "; the sample does not show it either"
                  : "; a sample of the keys would show it"));
    }
    return advice(schema, findings, notes);
  }

  private Advice advice(Schema schema, List<Finding> findings, List<String> notes) {
    findings.sort(Finding.ORDER);
    List<Finding> told = new ArrayList<>();
    Map<Finding, String> harmless = new LinkedHashMap<>();
    for (Finding finding : findings) {
      ignored.stream()
          .filter(each -> each.covers(finding))
          .findFirst()
          .ifPresentOrElse(each -> harmless.put(finding, each.reason()), () -> told.add(finding));
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

  @Override
  public String toString() {
    return "advisor for " + catalog.name().toLowerCase(Locale.ROOT);
  }
}
