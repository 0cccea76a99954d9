package shop;

import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.key.BitReversal;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** Takes three numbers and spreads them; learns why a driver makes no connection. */
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
    ClassPath.same(
        failure(),
        "ended by an error of the JVM: java.lang.NoClassDefFoundError: java/sql/SQLException");
  }

  private static String failure() {
    R2dbcSequenceStore store =
        R2dbcSequenceStore.create(ConnectionFactories.get("r2dbc:h2:mem:///shop"));
    return store
        .createTable()
        .thenReturn("nothing")
        .onErrorResume(failure -> Mono.just(String.valueOf(failure.getMessage())))
        .block(Duration.ofMinutes(1));
  }
}
