package parcels;

import io.millrace.SequenceGenerator;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.gcloud.SpannerEmulatorContainer;

/**
 * A program that a test starts with a container, in a JVM of its own: twice, one after the other.
 */
@SpringBootApplication
public class Parcels {

  public static void main(String[] arguments) {
    for (int start = 1; start <= 2; start++) {
      SpringApplication.from(each -> SpringApplication.run(Parcels.class, each))
          .with(Containers.class)
          .run(arguments)
          .getApplicationContext()
          .close();
    }
    System.exit(0); // threads of Spanner's client would keep the JVM alive
  }

  @Bean
  CommandLineRunner numbers(SequenceGenerator parcels) {
    return arguments ->
        System.out.println("parcels " + parcels.values().take(3).collectList().block());
  }

  @TestConfiguration(proxyBeanMethods = false)
  static class Containers {

    @Bean
    @ServiceConnection
    SpannerEmulatorContainer emulator() {
      return new RunningEmulator(System.getProperty("emulator"));
    }
  }

  /** A container without Docker: its emulator is a process that runs already. */
  private static final class RunningEmulator extends SpannerEmulatorContainer {

    private final String endpoint;

    RunningEmulator(String endpoint) {
      super("gcr.io/cloud-spanner-emulator/emulator");
      this.endpoint = endpoint;
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public String getEmulatorGrpcEndpoint() {
      return endpoint;
    }
  }
}
