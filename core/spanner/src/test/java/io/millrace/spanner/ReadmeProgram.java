package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.key.BitReversal;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What README shows first, line by line: {@link ReadmeProgramTest} compares them. */
final class ReadmeProgram {

  private ReadmeProgram() {}

  record Order(long id) {
    Order withId(long value) {
      return new Order(value);
    }
  }

  public static void main(String[] arguments) {
    Flux<Order> orders = Flux.range(0, 10).map(i -> new Order(0));

    Spanner spanner = SpannerOptions.newBuilder().setProjectId("my-project").build().getService();
    DatabaseId database = DatabaseId.of("my-project", "my-instance", "shop");
    SpannerSequenceStore store = SpannerSequenceStore.create(spanner.getDatabaseClient(database));

    SequenceGenerator invoices =
        SequenceGenerator.builder(store, "invoice_id").batchSize(1_000).lowWatermark(200).build();

    Mono<Long> id = invoices.next();
    Mono<List<Long>> five = invoices.next(5);
    Flux<Long> ids = invoices.values();
    Flux<Order> numbered = orders.transform(invoices.assign(Order::withId));
    Sequence keys = invoices.map(BitReversal.PRESERVING_SIGN);

    try (DatabaseAdminClient admin = spanner.createDatabaseAdminClient()) {
      store.createTable(admin, database).then(store.create("invoice_id", 1)).block();
    }

    System.out.println(id.block());
    System.out.println(five.block());
    System.out.println(ids.take(3).collectList().block());
    System.out.println(numbered.map(Order::id).collectList().block());
    System.out.println(keys.next().block());

    invoices.disposeLater().block();
    spanner.close();
  }
}
