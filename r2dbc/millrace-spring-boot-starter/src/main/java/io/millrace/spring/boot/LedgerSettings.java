package io.millrace.spring.boot;

import io.millrace.ledger.LedgerOptions;
import java.util.function.Consumer;
import org.springframework.core.env.Environment;

/** Sets the ledger of a store's builder from the properties. */
final class LedgerSettings {

  private LedgerSettings() {}

  static void apply(
      MillraceProperties.Ledger wanted, Environment environment, Consumer<LedgerOptions> ledger) {
    if (wanted.table().isEmpty()) {
      return;
    }
    String application =
        wanted.application().isEmpty()
            ? plain(environment.getProperty("spring.application.name", ""))
            : wanted.application();
    LedgerOptions options = LedgerOptions.table(wanted.table()).application(application);
    if (!wanted.retention().isZero()) {
      options = options.retention(wanted.retention());
    }
    ledger.accept(wanted.bestEffort() ? options.bestEffort() : options);
  }

  /** An application may have any name; a holder is plain text. */
  private static String plain(String name) {
    String plain = name.replaceAll("[^ -~]|@", "_");
    return plain.length() <= 100 ? plain : plain.substring(0, 100);
  }
}
