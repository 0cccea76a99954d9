package invoices;

import io.millrace.InvalidOptionException;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.RowNotAcceptedException;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.PeriodicValue;
import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SpringPeriodicNumbers;
import io.r2dbc.spi.ConnectionFactory;
import java.time.LocalDate;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@SpringBootApplication
public class Invoicing {

  public static void main(String[] args) {
    SpringApplication.run(Invoicing.class, args);
  }

  @Bean
  RowWriter<Invoice> writer(
      ConnectionFactory connections,
      R2dbcSequenceStore store,
      @Qualifier("invoice") SpringPeriodicNumbers numbers) {
    return R2dbcInserts.into(connections, "invoice", Invoice::writeTo)
        .key("tenant", "request")
        .numbered(
            store.transactionals(), numbers.definition(), Invoice::tenant, Invoice::withNumber)
        .writer();
  }
}

record Invoice(UUID request, String tenant, String customer, String number, LocalDate issued) {

  Invoice withNumber(PeriodicValue value) {
    return new Invoice(request, tenant, customer, value.text(), value.date());
  }

  void writeTo(InsertRow row) {
    row.set("request", request)
        .set("tenant", tenant)
        .set("customer", customer)
        .set("number", number)
        .set("issued", issued);
  }
}

@RestController
class InvoiceController {

  private final RowWriter<Invoice> writer;
  private final DatabaseClient database;

  InvoiceController(RowWriter<Invoice> writer, DatabaseClient database) {
    this.writer = writer;
    this.database = database;
  }

  @PutMapping("/{tenant}/invoices/{request}")
  Mono<Invoice> issue(
      @PathVariable String tenant, @PathVariable UUID request, @RequestParam String customer) {
    return writer.write(new Invoice(request, tenant, customer, "", LocalDate.EPOCH));
  }

  @ExceptionHandler
  ResponseEntity<String> notAccepted(RowNotAcceptedException refused) {
    return later("not stored");
  }

  @ExceptionHandler
  Mono<ResponseEntity<String>> failed(InsertFailedException failed) {
    boolean isDuplicate =
        !failed.isOutcomeUnknown()
            && R2dbcDialect.POSTGRESQL.failure(failed) == ErrorCategory.DUPLICATE_KEY;
    return isDuplicate ? duplicate((Invoice) failed.rows().get(0)) : Mono.just(response(failed));
  }

  /** The request is stored, or its number was in use because the counter was reset. */
  private Mono<ResponseEntity<String>> duplicate(Invoice invoice) {
    return database
        .sql("SELECT 1 FROM invoice WHERE tenant = :tenant AND request = :request")
        .bind("tenant", invoice.tenant())
        .bind("request", invoice.request())
        .fetch()
        .first()
        .hasElement()
        .map(stored -> stored ? answer(409, "stored already") : answer(500, "number in use"));
  }

  private static ResponseEntity<String> response(InsertFailedException failed) {
    if (failed.isOutcomeUnknown()) {
      return later("perhaps stored: send it again");
    }
    if (failed.getCause() instanceof InsertTimeoutException) {
      return later("not stored");
    }
    if (failed.getCause() instanceof InvalidOptionException) {
      return answer(400, "no name of a tenant");
    }
    return switch (R2dbcDialect.POSTGRESQL.failure(failed)) {
      case REFUSED -> answer(400, "refused by the database");
      case CONFLICT, CONNECTION_LOST -> later("not stored");
      default -> answer(500, "not stored");
    };
  }

  private static ResponseEntity<String> answer(int status, String body) {
    return ResponseEntity.status(status).body(body);
  }

  private static ResponseEntity<String> later(String body) {
    return ResponseEntity.status(503).header("Retry-After", "1").body(body);
  }
}
