package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.ShownText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class IndentedJsonTest {

  private static final String TEXT = "ü\u001b[2J\n\u202e\u2028\u007f\u0085\ud83d\ude00";

  @Test
  void charactersThatActOnATerminalAreEscapedAndTheTextStaysTheSame() {
    JsonMapper mapper = IndentedJson.builder().build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    mapper.writeValue(bytes, Map.of("a", TEXT));
    for (String json :
        new String[] {
          mapper.writeValueAsString(Map.of("a", TEXT)), bytes.toString(StandardCharsets.UTF_8)
        }) {
      assertThat(json.lines()).allMatch(line -> line.codePoints().allMatch(ShownText::isPlain));
      assertThat(json).contains("ü");
      assertThat(mapper.readTree(json).get("a").stringValue()).isEqualTo(TEXT);
    }
  }
}
