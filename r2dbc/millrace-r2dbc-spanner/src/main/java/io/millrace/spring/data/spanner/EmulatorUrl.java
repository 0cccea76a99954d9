package io.millrace.spring.data.spanner;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The URL of a Spanner emulator. Spanner's client still connects to Google's servers unless the
 * environment names the emulator, too. It then fails late, with an error about host names.
 */
record EmulatorUrl(@Nullable String url, Map<String, String> environment) {

  static final String PROPERTY = "spring.r2dbc.url";
  static final String VARIABLE = "SPANNER_EMULATOR_HOST";

  /**
   * Checks the URL, if it is an emulator's.
   *
   * @throws InvalidConfigurationPropertyValueException if the environment lacks the emulator
   */
  void check() {
    if (url != null
        && url.matches("r2dbc:cloudspanner://[^/].*[?&]usePlainText=true(&.*)?")
        && environment.getOrDefault(VARIABLE, "").isBlank()) {
      String host = url.replaceAll("r2dbc:cloudspanner://([^/]*)/.*", "$1");
      throw new InvalidConfigurationPropertyValueException(
          PROPERTY,
          url,
          "it is the URL of an emulator, but Spanner's client connects to Google's servers unless the"
              + " environment variable "
              + VARIABLE
              + " is set: set "
              + VARIABLE
              + "="
              + host
              + ", and for an emulator before 1.5.38 also"
              + " GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW=false");
    }
  }
}
