package shop;

import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.key.BitReversal;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.List;

/** Takes three numbers and spreads them; creates a table. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.same(Program.class.getModule().getName(), "shop");
    ClassPath.same(Sequence.class.getModule().getName(), "io.millrace");
    ClassPath.same(BitReversal.class.getModule().getName(), "io.millrace.key");
    ClassPath.same(Sequence.class.getModule().getDescriptor().isAutomatic(), false);
    ClassPath.same(BitReversal.class.getModule().getDescriptor().isAutomatic(), false);
    SequenceGenerator ids = SequenceGenerator.builder(new Counter(), "ids").build();
    Sequence keys = ids.map(BitReversal.PRESERVING_SIGN);
    ClassPath.same(
        keys.values().take(3).collectList().block(), List.of(1L << 62, 1L << 61, 3L << 61));
    ids.disposeLater().block();
    R2dbcSequenceStore store =
        R2dbcSequenceStore.create(ConnectionFactories.get("r2dbc:h2:mem:///shop"));
    store.createTable().block(Duration.ofMinutes(1));
  }
}
