package shop;

import io.millrace.SequenceGenerator;
import java.util.List;

/** Takes three numbers. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.isOnly("millrace-core", "reactor-core-3.8", "reactive-streams", "jspecify");
    SequenceGenerator ids = SequenceGenerator.builder(new Counter(), "ids").build();
    ClassPath.same(ids.values().take(3).collectList().block(), List.of(1L, 2L, 3L));
    ids.disposeLater().block();
  }
}
