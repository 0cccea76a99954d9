package io.millrace.spring;

import io.millrace.ledger.LedgerOptions;
import java.util.function.Consumer;
import org.springframework.core.env.Environment;

/** Sets the ledger of a store's builder from the properties. */
final class LedgerSettings {

  private LedgerSettings() {}

  static void apply(
      MillraceProperties properties, Environment environment, Consumer<LedgerOptions> ledger) {
    MillraceProperties.Ledger wanted = properties.getLedger();
    if (wanted.getTable().isEmpty()) {
      return;
    }
    if (wanted.getTable().equalsIgnoreCase(properties.getTable())) {
      throw PropertyRefusal.of(
          "ledger.table",
          wanted.getTable(),
          "it must not be the table of counters, millrace.table");
    }
    String application =
        wanted.getApplication().isEmpty()
            ? plain(environment.getProperty("spring.application.name", ""))
            : wanted.getApplication();
    LedgerOptions table = LedgerOptions.table(wanted.getTable());
    LedgerOptions named =
        PropertyRefusal.naming(
            "ledger.application", application, () -> table.application(application));
    LedgerOptions kept =
        wanted.getRetention().isZero()
            ? named
            : PropertyRefusal.naming(
                "ledger.retention",
                wanted.getRetention(),
                () -> named.retention(wanted.getRetention()));
    PropertyRefusal.naming(
        "ledger.table", wanted.isBestEffort() ? kept.bestEffort() : kept, ledger);
  }

  /** An application may have any name; a holder is plain text. */
  private static String plain(String name) {
    String plain = name.replaceAll("[^ -~]|@", "_");
    return plain.length() <= 100 ? plain : plain.substring(0, 100);
  }
}
