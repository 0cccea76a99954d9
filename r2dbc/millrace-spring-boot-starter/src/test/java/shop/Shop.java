package shop;

import io.millrace.spring.SequenceValue;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.annotation.Id;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

@SpringBootApplication
public class Shop {

  public static void main(String[] args) {
    Invoices invoices = SpringApplication.run(Shop.class, args).getBean(Invoices.class);
    System.out.println(invoices.save(new Invoice(null, "Ada")).block()); // Invoice[id=1, ...
  }
}

record Invoice(@Id @SequenceValue("invoice_id") Long id, String customer) {}

interface Invoices extends ReactiveCrudRepository<Invoice, Long> {}
