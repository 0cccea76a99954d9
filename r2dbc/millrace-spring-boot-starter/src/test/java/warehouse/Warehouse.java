package warehouse;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.key.KeyFunction;
import io.millrace.spring.SequenceValue;
import io.millrace.spring.SpringTransactionalSequence;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** Uses each kind of bean that properties describe, and prints what it gets. */
@SpringBootApplication
public class Warehouse {

  public static void main(String[] args) {
    int status = 1;
    ConfigurableApplicationContext warehouse = SpringApplication.run(Warehouse.class, args);
    try (warehouse) {
      print(warehouse);
      status = 0;
    } catch (RuntimeException failure) {
      failure.printStackTrace();
    }
    System.exit(status); // the threads of Spanner's driver would keep the JVM alive
  }

  private static void print(ApplicationContext warehouse) {
    Numbers numbers = warehouse.getBean(Numbers.class);
    System.out.println("bins " + numbers.bins().next(3).block());
    System.out.println("shelves " + numbers.shelves().next().block());
    SequenceGenerators generators = warehouse.getBean(SequenceGenerators.class);
    System.out.println("late " + generators.get("late").next().block());
    System.out.println("late is a bean: " + warehouse.containsBean("late"));
    System.out.println(
        "pallet " + warehouse.getBean(Pallets.class).save(Pallet.of("rice")).block());
    System.out.println("crate " + numbers.insert(Crate.of("tea")).block());
    Receipts receipts = warehouse.getBean(Receipts.class);
    System.out.println("receipts " + List.of(receipts.issue().block(), receipts.issue().block()));
  }

  /** Has the name of a sequence, whose bean therefore gets another name. */
  @Bean
  String shelves() {
    return "not a generator";
  }

  @Bean
  KeyFunction<Long, Long> thousands() {
    return value -> 1_000 * value;
  }
}

record Pallet(@Id @SequenceValue("pallets") @Nullable Long id, String content) {
  static Pallet of(String content) {
    return new Pallet(null, content);
  }
}

/** Its bean has the name of the sequence {@code pallets}. */
interface Pallets extends ReactiveCrudRepository<Pallet, Long> {}

/** An entity without a repository. */
record Crate(
    @Id @SequenceValue(value = "pallets", key = "thousands") @Nullable Long id, String content) {
  static Crate of(String content) {
    return new Crate(null, content);
  }
}

@Service
record Numbers(
    @Qualifier("bins") SequenceGenerator bins,
    @Qualifier("shelves") SequenceGenerator shelves,
    R2dbcEntityTemplate template) {

  Mono<Crate> insert(Crate crate) {
    return template.insert(crate);
  }
}

@Service
class Receipts {

  private final SpringTransactionalSequence receipts;

  Receipts(@Qualifier("receipts") SpringTransactionalSequence receipts) {
    this.receipts = receipts;
  }

  @Transactional
  public Mono<Long> issue() {
    return receipts.next();
  }
}
