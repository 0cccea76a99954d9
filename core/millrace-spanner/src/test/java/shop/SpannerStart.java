package shop;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.SequenceGenerator;
import io.millrace.spanner.SpannerSequenceStore;

public class SpannerStart {

  public static void main(String[] args) {
    DatabaseId database = DatabaseId.of("my-project", "my-instance", "shop");
    SpannerOptions options = SpannerOptions.newBuilder().setProjectId("my-project").build();
    try (Spanner spanner = options.getService();
        DatabaseAdminClient admin = spanner.createDatabaseAdminClient()) {
      SpannerSequenceStore store = SpannerSequenceStore.create(spanner.getDatabaseClient(database));
      store.createTable(admin, database).then(store.create("order_id", 1)).block();
      SequenceGenerator ids = SequenceGenerator.builder(store, "order_id").build();

      System.out.println(ids.next().block()); // 1
      System.out.println(ids.values().take(3).collectList().block()); // [2, 3, 4]
      ids.disposeLater().block(); // releases the rest of the block
    }
  }
}
