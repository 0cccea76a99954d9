package shop;

import io.millrace.SequenceGenerator;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Takes three numbers of the sequence that the properties name. */
@SpringBootApplication
public class Program {

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has("millrace-spring-boot-starter", "millrace-r2dbc", "millrace-core", "reactor-core-3.8");
    ClassPath.lacks("google-cloud", "grpc", "millrace-spanner", "millrace-test");
    try (ConfigurableApplicationContext shop = SpringApplication.run(Program.class)) {
      SequenceGenerator ids = shop.getBean("ids", SequenceGenerator.class);
      ClassPath.same(ids.values().take(3).collectList().block(), List.of(1L, 2L, 3L));
    }
  }
}
