package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.ConnectionFactoryProvider;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Resolves {@code r2dbc:fixture://any/NAME} to a connection factory that a test registered. */
public final class FixtureDriver implements ConnectionFactoryProvider {

  private static final Map<String, ConnectionFactory> FACTORIES = new ConcurrentHashMap<>();

  /**
   * Registers a factory.
   *
   * @return its URL
   */
  public static String url(ConnectionFactory factory) {
    String name = UUID.randomUUID().toString();
    FACTORIES.put(name, factory);
    return "r2dbc:fixture://any/" + name;
  }

  @Override
  public ConnectionFactory create(ConnectionFactoryOptions options) {
    return Objects.requireNonNull(
        FACTORIES.get(options.getRequiredValue(ConnectionFactoryOptions.DATABASE).toString()));
  }

  @Override
  public boolean supports(ConnectionFactoryOptions options) {
    return getDriver().equals(options.getValue(ConnectionFactoryOptions.DRIVER));
  }

  @Override
  public String getDriver() {
    return "fixture";
  }
}
