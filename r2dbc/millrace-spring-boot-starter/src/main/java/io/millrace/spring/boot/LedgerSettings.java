package io.millrace.spring.boot;

import io.millrace.ledger.LedgerOptions;
import java.util.function.Consumer;
import org.springframework.core.env.Environment;

/** Sets the ledger of a store's builder from the properties. */
final class LedgerSettings {

  private LedgerSettings() {}

  static void apply(
      MillraceProperties.Ledger wanted, Environment environment, Consumer<LedgerOptions> ledger) {
    if (wanted.getTable().isEmpty()) {
      return;
    }
    String application =
        wanted.getApplication().isEmpty()
            ? plain(environment.getProperty("spring.application.name", ""))
            : wanted.getApplication();
    LedgerOptions options = LedgerOptions.table(wanted.getTable()).application(application);
    if (!wanted.getRetention().isZero()) {
      options = options.retention(wanted.getRetention());
    }
    ledger.accept(wanted.isBestEffort() ? options.bestEffort() : options);
  }

  /** An application may have any name; a holder is plain text. */
  private static String plain(String name) {
    String plain = name.replaceAll("[^ -~]|@", "_");
    return plain.length() <= 100 ? plain : plain.substring(0, 100);
  }
}
