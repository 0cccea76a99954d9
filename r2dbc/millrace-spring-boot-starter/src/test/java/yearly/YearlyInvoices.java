package yearly;

import io.millrace.periodic.PeriodicValue;
import io.millrace.r2dbc.InsertRow;
import io.millrace.spring.SpringPeriodicSequence;
import java.time.LocalDate;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

@Service
class YearlyInvoices {

  private final SpringPeriodicSequence numbers;
  private final R2dbcEntityTemplate database;

  YearlyInvoices(
      @Qualifier("invoice") SpringPeriodicSequence numbers, R2dbcEntityTemplate database) {
    this.numbers = numbers;
    this.database = database;
  }

  @Transactional
  Mono<YearlyInvoice> issue(String customer) {
    return numbers
        .next()
        .flatMap(next -> database.insert(new YearlyInvoice(next.text(), next.date(), customer)));
  }
}

@Table("yearly")
record YearlyInvoice(
    @Id @Column("number") String number,
    @Column("issued") LocalDate issued,
    @Column("customer") String customer) {

  YearlyInvoice withNumber(PeriodicValue next) {
    return new YearlyInvoice(next.text(), next.date(), customer);
  }

  void writeTo(InsertRow row) {
    row.set("number", number).set("issued", issued).set("customer", customer);
  }
}
