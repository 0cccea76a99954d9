package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Programs that do not use the meters need no Micrometer on their class path. */
class WithoutMicrometerTest {

  /** Loads everything of this project and of Reactor anew, and nothing of Micrometer. */
  private static final class NoMicrometer extends ClassLoader {

    NoMicrometer() {
      super(WithoutMicrometerTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (name.startsWith("io.micrometer.")) {
          throw new ClassNotFoundException(name);
        }
        if (!name.startsWith("io.millrace.") && !name.startsWith("reactor.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  /** A program, run by its name in the other class loader. */
  public static final class Program implements Callable<List<Long>> {

    @Override
    public List<Long> call() {
      SequenceGenerator generator =
          SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
              .metrics(new SequenceMetricsRecorder() {})
              .build();
      List<Long> values = generator.values().take(3).collectList().block();
      generator.disposeLater().block();
      return values == null ? List.of() : values;
    }
  }

  @Test
  void aGeneratorWorks() throws Exception {
    ClassLoader loader = new NoMicrometer();
    assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"))
        .isInstanceOf(ClassNotFoundException.class);
    Class<?> program = loader.loadClass(Program.class.getName());
    assertThat(program).isNotSameAs(Program.class);
    Callable<?> instance = (Callable<?>) program.getDeclaredConstructor().newInstance();
    assertThat(instance.call()).isEqualTo(List.of(1L, 2L, 3L));
  }

  @Test
  void theMetersAloneNeedIt() throws Exception {
    Class<?> recorder = new NoMicrometer().loadClass("io.millrace.micrometer.MicrometerRecorder");
    assertThatThrownBy(recorder::getDeclaredMethods).isInstanceOf(NoClassDefFoundError.class);
  }
}
