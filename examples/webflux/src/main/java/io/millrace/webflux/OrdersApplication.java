package io.millrace.webflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.insert.RowWriter;
import io.millrace.micrometer.MicrometerWriterRecorder;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/** The service. Its profiles are {@code h2}, the default, and {@code postgres}. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class OrdersApplication {

  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }

  /** Writes the invoices of all requests: those that wait at the same time share a transaction. */
  @Bean
  RowWriter<Invoice> invoiceWriter(
      ConnectionFactory connections, R2dbcSequenceStore store, MeterRegistry meters) {
    return R2dbcInserts.into(connections, "invoices", Invoice::writeTo)
        .key("order_id")
        .numbered(store.transactional("invoice_no"), Invoice::withNumber)
        .acquireTimeout(Duration.ofSeconds(5))
        .transactionTimeout(Duration.ofSeconds(5))
        .metrics(MicrometerWriterRecorder.of(meters, "invoices"))
        .writer();
  }
}
