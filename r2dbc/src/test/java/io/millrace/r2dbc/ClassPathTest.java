package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** The store runs with what a user of H2 has on the class path, and nothing more. */
class ClassPathTest {

  /** What a program without Spring and without Spanner does. */
  static final class Program {

    private Program() {}

    static String run() {
      ConnectionFactory connections =
          ConnectionFactories.get(
              "r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1");
      R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
      Mono<String> first =
          store
              .createTable()
              .then(store.create("orders", 1))
              .then(store.reserve("orders", 10))
              .map(String::valueOf);
      return String.valueOf(first.block());
    }
  }

  private static final String[] A_USER_OF_H2_HAS = {
    "millrace-core", "reactor-core", "reactive-streams", "r2dbc-spi", "r2dbc-h2", "h2-", "jspecify"
  };

  /** Directories are the classes of this build. */
  private static URLClassLoader isolated(String... names) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry);
      String file = path.getFileName().toString();
      if (!file.endsWith(".jar") || Arrays.stream(names).anyMatch(file::startsWith)) {
        urls.add(path.toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.springframework.core.SpringVersion",
        "com.google.cloud.spanner.Spanner",
        "com.google.api.gax.rpc.ApiException",
        "io.grpc.Status",
        "com.google.protobuf.Message",
        "io.r2dbc.postgresql.PostgresqlConnectionFactory",
        "io.r2dbc.pool.ConnectionPool"
      })
  void whatIsHiddenIsThereOtherwise(String type) throws Exception {
    assertThat(Class.forName(type)).isNotNull();
    try (URLClassLoader loader = isolated(A_USER_OF_H2_HAS)) {
      assertThatThrownBy(() -> Class.forName(type, false, loader))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  void theStoreNeedsNeitherSpringNorSpannerNorAnotherDriver() throws Exception {
    try (URLClassLoader loader = isolated(A_USER_OF_H2_HAS)) {
      Thread current = Thread.currentThread();
      ClassLoader before = current.getContextClassLoader();
      current.setContextClassLoader(loader);
      try {
        Method run = loader.loadClass(Program.class.getName()).getDeclaredMethod("run");
        run.setAccessible(true);
        assertThat(run.invoke(null)).isEqualTo("[1..10]");
        assertThat(loader.loadClass(R2dbcSequenceStore.class.getName()))
            .isNotEqualTo(R2dbcSequenceStore.class);
      } finally {
        current.setContextClassLoader(before);
      }
    }
  }
}
