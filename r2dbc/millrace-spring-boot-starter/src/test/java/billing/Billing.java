package billing;

import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.spring.SpringTransactionalSequence;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

@SpringBootApplication
public class Billing {

  public static void main(String[] args) {
    Invoices invoices = SpringApplication.run(Billing.class, args).getBean(Invoices.class);
    System.out.println(invoices.issue("Ada").block()); // Invoice[number=1, customer=Ada]
  }
}

record Invoice(@Id long number, String customer) {}

@Service
class InvoiceTransaction {

  private final SpringTransactionalSequence numbers;
  private final R2dbcEntityTemplate database;

  InvoiceTransaction(
      @Qualifier("invoice_no") SpringTransactionalSequence numbers, R2dbcEntityTemplate database) {
    this.numbers = numbers;
    this.database = database;
  }

  @Transactional
  public Mono<Invoice> issue(String customer) {
    return numbers.next().flatMap(number -> database.insert(new Invoice(number, customer)));
  }
}

@Service
class Invoices {

  private static final Retry CONFLICTS =
      Retry.backoff(20, Duration.ofMillis(20))
          .maxBackoff(Duration.ofMillis(500))
          .filter(failure -> R2dbcDialect.POSTGRESQL.failure(failure) == ErrorCategory.CONFLICT)
          .onRetryExhaustedThrow((retry, last) -> last.failure());

  private final InvoiceTransaction transaction;

  Invoices(InvoiceTransaction transaction) {
    this.transaction = transaction;
  }

  Mono<Invoice> issue(String customer) {
    return Mono.deferContextual(
        context ->
            Mono.defer(() -> transaction.issue(customer)) // a new transaction for each attempt
                .retryWhen(CONFLICTS)
                .contextWrite(context) // stays when the subscriber leaves
                .cache()); // runs to its end if the subscriber cancels
  }
}
