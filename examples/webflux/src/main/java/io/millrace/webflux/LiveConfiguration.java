package io.millrace.webflux;

import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The live page, where it is enabled: its files, and a database that can be cut off. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("orders.live.enabled")
class LiveConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);

  @Bean
  DatabaseSwitch databaseSwitch(LiveSettings settings, ApplicationEventPublisher events) {
    return new DatabaseSwitch(settings.outageLimit(), events);
  }

  /** The port is known when the server listens. */
  @EventListener
  void started(WebServerInitializedEvent event) {
    LOG.info("The live page: http://localhost:{}/live", event.getWebServer().getPort());
  }

  /** Next to the driver, below what else decorates its connections. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  ConnectionFactoryDecorator cuttable(DatabaseSwitch database) {
    return database::cutting;
  }

  @Bean
  RouterFunction<ServerResponse> liveFiles() {
    ClassPathResource folder = new ClassPathResource("live/");
    return RouterFunctions.resources("/live/files/**", folder)
        .and(
            RouterFunctions.route()
                .GET("/", request -> ServerResponse.temporaryRedirect(URI.create("/live")).build())
                .GET(
                    "/live",
                    request ->
                        ServerResponse.ok()
                            .contentType(MediaType.TEXT_HTML)
                            .bodyValue(new ClassPathResource("live/index.html")))
                .build());
  }
}
