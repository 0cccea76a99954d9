package shop;

import io.millrace.TransactionalSequence;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.publisher.Mono;

public class GaplessStart {

  public static void main(String[] args) {
    ConnectionFactory connections =
        ConnectionFactories.get("r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1");
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
    store.createTable().then(store.create("invoice_no", 1)).block();
    TransactionalSequence<Connection> numbers = store.transactional("invoice_no");

    Mono<Long> issued =
        R2dbcTransactions.over(connections)
            .readWrite(
                connection ->
                    run(connection, "CREATE TABLE IF NOT EXISTS invoice (number BIGINT)")
                        .then(numbers.next(connection)) // locks the counter until the commit
                        .delayUntil(
                            n -> run(connection, "INSERT INTO invoice VALUES (" + n + ")")));
    System.out.println(issued.block() + ", " + issued.block()); // 1, 2
    store.close().block();
  }

  private static Mono<Long> run(Connection connection, String sql) {
    return Mono.from(connection.createStatement(sql).execute())
        .flatMap(result -> Mono.from(result.getRowsUpdated()));
  }
}
