package io.millrace.admin;

import io.millrace.internal.ShownText;
import io.millrace.tools.Durations;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the tables of sequences. */
final class DatabaseOptions extends ConnectionOptions {

  static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)?");

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      defaultValue = "sequences",
      description = "The table of the counters (default: ${DEFAULT-VALUE}).")
  private String table;

  @Option(
      names = "--ledger",
      paramLabel = "TABLE",
      description = "The table of the ledger, if there is one.")
  private @Nullable String ledger;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = Durations.class,
      description = "The time limit of a request, 1ms to 1h (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  DatabaseOptions() {}

  Duration timeout() {
    return timeout;
  }

  /** The ledger's table, or another one if none was named. */
  String ledgerOr(String other) {
    return ledger == null ? other : ledger;
  }

  boolean hasLedger() {
    return ledger != null;
  }

  /** The counters. {@code defaultLedger} is used if no ledger is named; null for none. */
  Counters open(@Nullable String defaultLedger) {
    refusals().require("--timeout", timeout, Duration.ofMillis(1), Duration.ofHours(1));
    requireName("--table", table);
    String recorded = ledger == null ? defaultLedger : ledger;
    if (recorded != null) {
      requireName("--ledger", recorded);
    }
    return spanner()
        .<Counters>map(found -> new SpannerCounters(found.client(), found.id(), table, recorded))
        .orElseGet(() -> new R2dbcCounters(connections(), table, recorded));
  }

  private void requireName(String option, String name) {
    if (!NAME.matcher(name).matches()) {
      throw refusals()
          .refusal(option + " must be NAME or SCHEMA.NAME, was " + ShownText.quote(name));
    }
  }
}
