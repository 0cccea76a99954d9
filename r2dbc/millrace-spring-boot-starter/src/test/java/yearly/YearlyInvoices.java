package yearly;

import io.millrace.insert.RowWriter;
import io.millrace.periodic.PeriodicValue;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.spring.SpringPeriodicNumbers;
import io.r2dbc.spi.ConnectionFactory;
import java.time.LocalDate;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

@Service
class YearlyInvoices {

  private final SpringPeriodicNumbers numbers;
  private final R2dbcEntityTemplate database;

  YearlyInvoices(
      @Qualifier("invoice") SpringPeriodicNumbers numbers, R2dbcEntityTemplate database) {
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

@Configuration(proxyBeanMethods = false)
class YearlyWriter {

  @Bean
  RowWriter<YearlyInvoice> writer(
      ConnectionFactory connections,
      R2dbcSequenceStore store,
      @Qualifier("invoice") SpringPeriodicNumbers numbers) {
    return R2dbcInserts.into(connections, "yearly", YearlyInvoice::writeTo)
        .key("customer")
        .numbered(store.transactionals(), numbers.definition(), YearlyInvoice::withNumber)
        .writer();
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
