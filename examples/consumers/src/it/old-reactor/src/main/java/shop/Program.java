package shop;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;

/** Is told which version of Reactor it needs, before it takes a number. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has("millrace-r2dbc", "r2dbc-postgresql", "reactor-core-3.5");
    SequenceStore store =
        R2dbcSequenceStore.create(ConnectionFactories.get("r2dbc:postgresql://me@localhost/shop"));
    String refusal = "none";
    try {
      SequenceGenerator.builder(store, "ids").build();
    } catch (IllegalStateException old) {
      refusal = old.getMessage();
    }
    ClassPath.same(
        refusal,
        "Millrace needs reactor-core 3.7.12 or later, found 3.5.20: declare Millrace's"
            + " artefact before the database's driver, or manage the version of reactor-core");
  }
}
