package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

/** With a ledger, which must not change anything. */
@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlStoreContractTest extends SpannerStoreContract {

  @Override
  SpannerSequenceStore storeOn(DatabaseClient client) {
    return SpannerSequenceStore.builder(client).ledger("sequence_ledger").build();
  }
}
