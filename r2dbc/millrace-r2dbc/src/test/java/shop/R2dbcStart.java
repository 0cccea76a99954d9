package shop;

import io.millrace.SequenceGenerator;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;

public class R2dbcStart {

  public static void main(String[] args) {
    String url = "r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1";
    R2dbcSequenceStore store = R2dbcSequenceStore.create(ConnectionFactories.get(url));
    store.createTable().then(store.create("order_id", 1)).block();
    SequenceGenerator ids = SequenceGenerator.builder(store, "order_id").build();

    System.out.println(ids.next().block()); // 1
    System.out.println(ids.values().take(3).collectList().block()); // [2, 3, 4]
    ids.disposeLater().then(store.close()).block(); // releases the rest of the block
  }
}
