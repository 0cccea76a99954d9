package io.millrace.admin;

import io.millrace.SequenceStore;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.util.List;

class H2SequencesTest extends SequencesBehaviour {

  private static final String URL = "r2dbc:h2:mem:///sequences?options=DB_CLOSE_DELAY=-1";

  @Override
  List<String> place() {
    return List.of("--url", URL);
  }

  @Override
  SequenceStore store() {
    return R2dbcSequenceStore.builder(ConnectionFactories.get(URL))
        .ledger(LedgerOptions.table("sequence_ledger").holder(new Holder("tool", "test", "1")))
        .build();
  }
}
