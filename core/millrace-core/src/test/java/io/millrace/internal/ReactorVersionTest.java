package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class ReactorVersionTest {

  @Test
  void theVersionThatTheTestsRunWithIsRecentEnough() {
    assertThatCode(ReactorVersion::check).doesNotThrowAnyException();
  }
}
