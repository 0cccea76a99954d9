package shop;

import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.util.List;

/** Takes three numbers of a store in memory. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has("millrace-test", "millrace-core", "junit-jupiter-api", "assertj-core");
    ClassPath.lacks("google-cloud", "grpc", "r2dbc", "spring", "micrometer", "testcontainers");
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("ids", 1);
    SequenceGenerator ids = SequenceGenerator.builder(store, "ids").build();
    ClassPath.same(ids.values().take(3).collectList().block(), List.of(1L, 2L, 3L));
    ids.disposeLater().block();
  }
}
