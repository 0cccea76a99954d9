package io.millrace.test.emulator;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** The emulator that {@code gcloud components install cloud-spanner-emulator} puts on a machine. */
final class GcloudComponent {

  private GcloudComponent() {}

  /** The emulator's executable beside the {@code gcloud} that the path leads to. */
  static Optional<Path> executable() {
    String path = System.getenv("PATH");
    if (path == null) {
      return Optional.empty();
    }
    for (String directory : path.split(Pattern.quote(File.pathSeparator), -1)) {
      if (directory.isEmpty()) {
        continue;
      }
      Path gcloud = Path.of(directory, "gcloud");
      if (Files.isExecutable(gcloud)) {
        return besides(gcloud);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> besides(Path gcloud) {
    try {
      Path executable =
          gcloud.toRealPath().resolveSibling("cloud_spanner_emulator").resolve("emulator_main");
      return Files.isExecutable(executable) ? Optional.of(executable) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
