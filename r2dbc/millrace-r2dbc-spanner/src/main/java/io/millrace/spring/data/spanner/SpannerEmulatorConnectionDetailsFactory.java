package io.millrace.spring.data.spanner;

import io.r2dbc.spi.ConnectionFactoryOptions;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.gcloud.SpannerEmulatorContainer;

/** Connects R2DBC to a Spanner emulator in a container with {@code @ServiceConnection}. */
final class SpannerEmulatorConnectionDetailsFactory
    extends ContainerConnectionDetailsFactory<SpannerEmulatorContainer, R2dbcConnectionDetails> {

  SpannerEmulatorConnectionDetailsFactory() {
    super(
        ANY_CONNECTION_NAME,
        "com.google.cloud.spanner.r2dbc.SpannerConnectionFactoryProvider",
        "org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails");
  }

  @Override
  protected R2dbcConnectionDetails getContainerConnectionDetails(
      ContainerConnectionSource<SpannerEmulatorContainer> source) {
    return new Details(source);
  }

  private static final class Details extends ContainerConnectionDetails<SpannerEmulatorContainer>
      implements R2dbcConnectionDetails {

    Details(ContainerConnectionSource<SpannerEmulatorContainer> source) {
      super(source);
    }

    @Override
    public ConnectionFactoryOptions getConnectionFactoryOptions() {
      EmulatorInContainer emulator =
          new EmulatorInContainer(getContainer().getEmulatorGrpcEndpoint());
      emulator.checkNamedBy(System.getenv());
      emulator.createDatabase();
      return ConnectionFactoryOptions.parse(emulator.url());
    }
  }
}
