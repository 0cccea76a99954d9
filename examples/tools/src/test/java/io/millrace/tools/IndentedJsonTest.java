package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IndentedJsonTest {

  private record Run(String mode, int clients) {}

  @Test
  void partsAreIndentedInTheOrderOfTheirDeclaration() {
    assertThat(IndentedJson.builder().build().writeValueAsString(new Run("SYNC", 10)).lines())
        .containsExactly("{", "  \"mode\" : \"SYNC\",", "  \"clients\" : 10", "}");
  }
}
