package io.millrace.admin;

import io.millrace.SequenceState;
import io.millrace.internal.ShownText;
import io.millrace.ledger.SequenceAudit;
import io.millrace.ledger.SequenceAudit.CounterCheck;
import io.millrace.ledger.SequenceLedger;
import io.millrace.tools.Refusals;
import io.millrace.tools.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "audit",
    description =
        "Checks a sequence against its ledger (default: sequence_ledger): values reserved twice,"
            + " values without an entry, and the counter. Exit status 1 if it finds a fault.")
final class AuditCommand extends SequenceCommand {

  private static final int SHOWN = 100;

  @Parameters(paramLabel = "NAME", description = "The sequence.")
  private String name;

  @Option(
      names = "--used",
      paramLabel = "TABLE.COLUMN",
      description =
          "The column that contains the values in use. Counts the values of each holder that are"
              + " not in the column, which is read completely.")
  private @Nullable String used;

  @Option(
      names = "--owner",
      paramLabel = "VALUE",
      description = "Prints only which process reserved this value.")
  private @Nullable Long value;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  AuditCommand() {}

  private record Missing(String holder, long values) {}

  private static final String LEDGER = "sequence_ledger";

  @Override
  String defaultLedger() {
    return LEDGER;
  }

  @Override
  void check() {
    if (used != null
        && (!used.contains(".") || !used.matches("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*){1,2}"))) {
      throw new Refusals(spec)
          .refusal(
              "--used must be TABLE.COLUMN or SCHEMA.TABLE.COLUMN, was " + ShownText.quote(used));
    }
    if (used != null && value != null) {
      throw new Refusals(spec).refusal("--used and --owner exclude each other");
    }
  }

  @Override
  Status run(Counters counters) {
    Listed found = find(counters, name);
    if (found.definition() != null) {
      throw new RefusedException(
          "sequence " + ShownText.quote(name) + " is native, and has no ledger");
    }
    SequenceAudit audit = counters.table().audit();
    requireLedger(audit);
    if (value != null) {
      return owner(found, audit, value);
    }
    if (used != null && found.isStriped()) {
      throw new RefusedException(
          "sequence " + ShownText.quote(name) + " is striped, and --used is for a counter only");
    }
    List<String> findings = new ArrayList<>();
    List<ShowCommand.Holding> holders = new ArrayList<>();
    for (SequenceState row : found.rows()) {
      check(row.name(), audit, findings);
      all(audit.uses(row.name())).stream().map(ShowCommand.Holding::of).forEach(holders::add);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("findings", findings);
    fields.put("holders", holders);
    String text =
        verdict(findings, holders.isEmpty()) + "\n\n" + ShowCommand.Holding.table(holders);
    if (used != null) {
      List<Missing> missing = missing(counters, audit, used);
      fields.put("notInUse", missing);
      text += "\n\n" + missingText(missing);
    }
    print(fields, text);
    return findings.isEmpty() ? Status.GOOD : Status.FINDINGS;
  }

  /** Reads from the ledger, so that a missing table is named instead of a failed query. */
  private void requireLedger(SequenceAudit audit) {
    try {
      all(audit.uses(name).take(1));
    } catch (RuntimeException failure) {
      throw Status.isMissingTable(failure)
          ? new RefusedException(
              "there is no ledger "
                  + ShownText.quote(database.ledgerOr(LEDGER))
                  + " to audit with: name its table with --ledger, or create it with the statement"
                  + " that 'ddl --ledger TABLE' prints")
          : failure;
    }
  }

  private String verdict(List<String> findings, boolean noEntries) {
    if (!findings.isEmpty()) {
      return String.join("\n", findings);
    }
    return noEntries
        ? "Nothing could be checked, because there are no entries."
        : "Nothing is wrong with " + ShownText.name(name) + ".";
  }

  private void check(String row, SequenceAudit audit, List<String> findings) {
    CounterCheck counter = get(audit.counter(row));
    if (!counter.agrees()) {
      findings.add(
          ShownText.name(row)
              + ": the counter stands at "
              + counter.counter().nextValue()
              + (counter.isBehind()
                  ? ", BEHIND the ledger, which ends before "
                  : ", ahead of the ledger, which ends before ")
              + counter.expected());
    }
    all(audit.overlaps(row).take(SHOWN))
        .forEach(
            each ->
                findings.add(
                    ShownText.name(row)
                        + (": " + each.first() + " to " + each.last() + " were reserved twice, by ")
                        + (each.lower().holder() + " and " + each.upper().holder())));
    all(audit.unrecorded(row).take(SHOWN))
        .forEach(
            each ->
                findings.add(
                    ShownText.name(row)
                        + ": "
                        + each.first()
                        + " to "
                        + each.last()
                        + " have no entry"));
  }

  private List<Missing> missing(Counters counters, SequenceAudit audit, String column) {
    int dot = column.lastIndexOf('.');
    Map<String, Long> sums = new TreeMap<>();
    audit
        .gaps(name, counters.used(column.substring(0, dot), column.substring(dot + 1)))
        .timeout(database.timeout())
        .doOnNext(gap -> sums.merge(gap.entry().holder().toString(), gap.size(), Long::sum))
        .then()
        .block();
    return sums.entrySet().stream().map(sum -> new Missing(sum.getKey(), sum.getValue())).toList();
  }

  private static String missingText(List<Missing> missing) {
    return missing.isEmpty()
        ? "All reserved values are in use."
        : new TextTable(
                List.of("holder", "values not in use"),
                1,
                missing.stream()
                    .map(each -> List.of(each.holder(), String.valueOf(each.values())))
                    .toList())
            .text();
  }

  private Status owner(Listed found, SequenceAudit audit, long asked) {
    String row = name;
    long index = asked;
    if (found.isStriped()) {
      row = name + "#" + Math.floorMod(asked, found.stride());
      index = Math.floorDiv(asked, found.stride());
    }
    List<SequenceLedger.Entry> entries = all(audit.owner(row, index).flux());
    if (entries.isEmpty()) {
      throw new RefusedException("the ledger has no entry with the value " + asked);
    }
    SequenceLedger.Entry entry = entries.get(0);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("value", asked);
    fields.put("holder", entry.holder().toString());
    fields.put("reservedAt", entry.reservedAt().toString());
    print(fields, asked + " was reserved by " + entry.holder() + " at " + entry.reservedAt() + ".");
    return Status.GOOD;
  }
}
