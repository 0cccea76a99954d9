package io.millrace.spring.boot;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/**
 * A native image must keep the methods that the core looks up by name. {@code ArchitectureTest}
 * lists the classes that look something up.
 */
class NativeImageTest {

  /** The methods that the metadata of the core keeps, as {@code class.method}. */
  private static List<String> kept() throws IOException, ReflectiveOperationException {
    String file = "/META-INF/native-image/io.millrace/millrace-core/reflect-config.json";
    List<Object> entries;
    try (InputStream metadata = SequenceStore.class.getResourceAsStream(file)) {
      assertThat(metadata).as(file).isNotNull();
      entries =
          JsonParserFactory.getJsonParser()
              .parseList(new String(metadata.readAllBytes(), StandardCharsets.UTF_8));
    }
    List<String> kept = new ArrayList<>();
    for (Object entry : entries) {
      Map<?, ?> type = (Map<?, ?>) entry;
      Map<?, ?> condition = (Map<?, ?>) requireNonNull(type.get("condition"));
      Class.forName((String) condition.get("typeReachable"));
      Class<?> named = Class.forName((String) type.get("name"));
      for (Object method : (List<?>) requireNonNull(type.get("methods"))) {
        Map<?, ?> signature = (Map<?, ?>) method;
        String name = (String) requireNonNull(signature.get("name"));
        assertThat(signature.get("parameterTypes")).isEqualTo(List.of());
        kept.add(named.getMethod(name).getDeclaringClass().getName() + "." + name);
      }
    }
    return kept;
  }

  @Test
  void keepsTheMethodThatTellsReactorsVersion() throws Exception {
    assertThat(kept())
        .containsExactly("reactor.core.publisher.Hooks.isAutomaticContextPropagationEnabled");
  }
}
