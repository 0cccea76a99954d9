package shop;

import io.millrace.spring.SequenceValue;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

@SpringBootApplication
public class Shop {

  public static void main(String[] args) {
    Orders orders = SpringApplication.run(Shop.class, args).getBean(Orders.class);
    System.out.println(orders.save(new Order(null, "Ada")).block()); // Order[id=1, customer=Ada]
  }
}

@Table("orders")
record Order(@Id @SequenceValue("order_id") Long id, String customer) {}

interface Orders extends ReactiveCrudRepository<Order, Long> {}
