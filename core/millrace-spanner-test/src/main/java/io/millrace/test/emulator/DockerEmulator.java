package io.millrace.test.emulator;

import org.testcontainers.containers.SpannerEmulatorContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The emulator in a container. This class is loaded only if Testcontainers is on the class path and
 * an engine answers. Testcontainers removes the container when the JVM ends.
 */
final class DockerEmulator {

  private static final DockerImageName IMAGE =
      DockerImageName.parse("gcr.io/cloud-spanner-emulator/emulator:1.5.37");

  private DockerEmulator() {}

  /** Starts a container and returns where its emulator listens, as {@code host:port}. */
  static String start(boolean faults) {
    SpannerEmulatorContainer container = new SpannerEmulatorContainer(IMAGE);
    if (faults) {
      container.withCommand("./gateway_main", "--hostname", "0.0.0.0", "--enable_fault_injection");
    }
    container.start();
    return container.getEmulatorGrpcEndpoint();
  }
}
