package io.millrace.webflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.insert.RowWriter;
import io.millrace.micrometer.MicrometerWriterRecorder;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The writer of invoices, which all requests share. Its time limits are shorter than a request's
 * and longer than those of the pool, so a failed request reports the cause.
 */
@Configuration(proxyBeanMethods = false)
class InvoiceConfiguration {

  @Bean
  RowWriter<Invoice> invoiceWriter(
      ConnectionFactory connections,
      R2dbcDialect dialect,
      R2dbcSequenceStore store,
      MeterRegistry meters,
      OrderSettings settings) {
    return R2dbcInserts.into(connections, "invoices", Invoice::writeTo)
        .dialect(dialect)
        .key("order_id")
        .numbered(store.transactional(Invoice.SEQUENCE), Invoice::withNumber)
        .acquireTimeout(settings.patience().dividedBy(2))
        .transactionTimeout(settings.patience().multipliedBy(9).dividedBy(10))
        .metrics(MicrometerWriterRecorder.of(meters, "invoices"))
        .writer();
  }
}
