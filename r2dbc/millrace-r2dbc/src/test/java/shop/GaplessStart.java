package shop;

import io.millrace.TransactionalSequence;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Statement;
import reactor.core.publisher.Mono;

public class GaplessStart {

  public static void main(String[] args) {
    String url = "r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1";
    ConnectionFactory connections = ConnectionFactories.get(url);
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
    store.createTable().then(store.create("invoice_no", 1)).block();
    TransactionalSequence<Connection> numbers = store.transactional("invoice_no");

    R2dbcTransactions transactions = R2dbcTransactions.over(connections);
    transactions.readWrite(c -> run(c.createStatement("CREATE TABLE invoice (no BIGINT)"))).block();
    Mono<Long> issued =
        transactions.readWrite(c -> numbers.next(c).delayUntil(no -> insert(c, no)));
    System.out.println(issued.block() + ", " + issued.block()); // 1, 2
    store.close().block();
  }

  private static Mono<Long> insert(Connection connection, long number) {
    return run(connection.createStatement("INSERT INTO invoice VALUES ($1)").bind(0, number));
  }

  private static Mono<Long> run(Statement statement) {
    return Mono.from(statement.execute()).flatMap(result -> Mono.from(result.getRowsUpdated()));
  }
}
