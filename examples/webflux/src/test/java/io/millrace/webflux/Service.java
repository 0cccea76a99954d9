package io.millrace.webflux;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.R2dbcDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The service, running on a port of its own. */
final class Service implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int CONNECTIONS = 64;

  private static final String QUIET = "spring.reactor.netty.shutdown-quiet-period=";
  private static final String END_AT_ONCE = QUIET + "0s";

  /** Lets clients, which share the event loops with the service, read its last answers. */
  static final String LAST_ANSWERS_ARE_READ = "--" + QUIET + "2s";

  private final ConfigurableApplicationContext context;
  private final ConnectionProvider connections;

  private Service(ConfigurableApplicationContext context) {
    this.context = context;
    this.connections = ConnectionProvider.create("test", CONNECTIONS);
  }

  /** Starts it over H2, with a database of its own. */
  static Service overH2(String... arguments) {
    return overH2(context -> {}, arguments);
  }

  /** Starts it over H2 with its context prepared. */
  static Service overH2(ApplicationContextInitializer<?> preparation, String... arguments) {
    String url =
        "r2dbc:h2:mem:///%s?options=DB_CLOSE_DELAY=-1;CASE_INSENSITIVE_IDENTIFIERS=TRUE"
            .formatted(UUID.randomUUID());
    return start(preparation, "h2", url, arguments);
  }

  /** Starts it over a database; over H2 that is one of its own. */
  static Service over(R2dbcDatabase database, String... arguments) {
    return database.kind() == DatabaseKind.H2
        ? overH2(arguments)
        : start(
            context -> {},
            "postgres",
            "r2dbc:postgresql://localhost:%d/%s".formatted(database.port(), database.name()),
            arguments);
  }

  private static Service start(
      ApplicationContextInitializer<?> preparation,
      String profile,
      String url,
      String... arguments) {
    String[] fixed = {
      "--server.address=127.0.0.1",
      "--server.port=0",
      "--spring.main.banner-mode=off",
      "--spring.r2dbc.url=" + url
    };
    return new Service(
        new SpringApplicationBuilder(OrdersApplication.class)
            .profiles(profile)
            .properties(END_AT_ONCE)
            .initializers(preparation)
            .run(Stream.of(fixed, arguments).flatMap(Stream::of).toArray(String[]::new)));
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  WebTestClient tester() {
    return WebTestClient.bindToServer().baseUrl(url()).responseTimeout(PATIENCE).build();
  }

  WebClient client() {
    return WebClient.builder()
        .baseUrl(url())
        .clientConnector(new ReactorClientHttpConnector(HttpClient.create(connections)))
        .build();
  }

  /** Stops the service as a signal does; clients may still wait for their answers. */
  void stop() {
    context.close();
  }

  @Override
  public void close() {
    connections.dispose();
    stop();
  }
}
