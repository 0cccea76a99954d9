package io.millrace.webflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service. Its profiles are {@code h2}, the default, {@code postgres} and {@code spanner}. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class OrdersApplication {

  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }
}
