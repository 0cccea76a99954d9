package shop;

import io.millrace.SequenceGenerator;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.util.List;

/** Takes three numbers of a database. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has(
        "millrace-r2dbc", "millrace-core", "r2dbc-spi", "r2dbc-pool", "reactor-core-3.8");
    ClassPath.lacks("google-cloud", "grpc", "protobuf", "guava", "spring", "micrometer");
    R2dbcSequenceStore store =
        R2dbcSequenceStore.create(
            ConnectionFactories.get("r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1"));
    store.createTable().then(store.create("ids", 1)).block();
    SequenceGenerator ids = SequenceGenerator.builder(store, "ids").build();
    ClassPath.same(ids.values().take(3).collectList().block(), List.of(1L, 2L, 3L));
    ids.disposeLater().block();
  }
}
