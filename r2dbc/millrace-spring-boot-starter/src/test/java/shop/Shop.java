package shop;

import io.millrace.spring.SequenceValue;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.annotation.Id;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

@SpringBootApplication
public class Shop {

  public static void main(String[] args) {
    Purchases purchases = SpringApplication.run(Shop.class, args).getBean(Purchases.class);
    System.out.println(purchases.save(new Purchase(null, "Ada")).block()); // Purchase[id=1, ...
  }
}

record Purchase(@Id @SequenceValue("order_id") Long id, String customer) {}

interface Purchases extends ReactiveCrudRepository<Purchase, Long> {}
