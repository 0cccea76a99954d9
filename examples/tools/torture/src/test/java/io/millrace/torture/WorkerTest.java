package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path directory;

  private Worker worker() {
    return new Worker(
        0,
        directory,
        life ->
            new ChildSettings(
                directory,
                0,
                life,
                "h2-server 1 torture",
                List.of(Mode.BATCH),
                new Sizes(1),
                100,
                Duration.ofSeconds(60),
                1,
                false,
                0),
        Map.of(),
        Watch.totals(List.of(Mode.BATCH)),
        null);
  }

  @Test
  void aWorkerThatIsClosedStartsNoProcess() throws InterruptedException {
    Worker worker = worker();
    worker.start(List.of());
    assertThat(worker.isAlive()).isTrue();

    worker.close();
    worker.start(List.of());

    assertThat(worker.life()).isZero();
    assertThat(worker.await(Duration.ofSeconds(60))).isTrue();
    assertThat(worker.isAlive()).isFalse();
  }
}
