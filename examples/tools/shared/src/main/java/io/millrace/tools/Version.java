package io.millrace.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the output of {@code --version}: the version with which Maven built the tools. */
public final class Version implements IVersionProvider {

  /** For picocli. */
  public Version() {}

  @Override
  public String[] getVersion() {
    Properties build = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("build.properties")) {
      build.load(Objects.requireNonNull(file, "build.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new String[] {"Millrace " + build.getProperty("version")};
  }
}
