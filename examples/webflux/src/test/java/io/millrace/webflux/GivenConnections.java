package io.millrace.webflux;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.ConnectionFactoryProvider;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Gives connections that a test has an URL, so that the service is configured by properties. */
public final class GivenConnections implements ConnectionFactoryProvider {

  private static final String DRIVER = "given";
  private static final Map<String, ConnectionFactory> GIVEN = new ConcurrentHashMap<>();

  static String url(ConnectionFactory connections) {
    String key = UUID.randomUUID().toString();
    GIVEN.put(key, connections);
    return "r2dbc:" + DRIVER + "://" + key;
  }

  @Override
  public ConnectionFactory create(ConnectionFactoryOptions options) {
    return Objects.requireNonNull(
        GIVEN.get(String.valueOf(options.getRequiredValue(ConnectionFactoryOptions.HOST))));
  }

  @Override
  public boolean supports(ConnectionFactoryOptions options) {
    return DRIVER.equals(options.getValue(ConnectionFactoryOptions.DRIVER));
  }

  @Override
  public String getDriver() {
    return DRIVER;
  }
}
