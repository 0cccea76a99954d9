package shop;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.key.BitReversal;
import io.millrace.spanner.SpannerSequenceStore;
import java.lang.reflect.Proxy;

/** Makes a store over a client that is not connected, since nothing is asked of it. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has(
        "millrace-spanner",
        "millrace-keys",
        "millrace-core",
        "google-cloud-spanner",
        "reactor-core-3.8");
    ClassPath.lacks("r2dbc", "cloud-spanner-r2dbc", "spring");
    DatabaseClient client =
        (DatabaseClient)
            Proxy.newProxyInstance(
                Program.class.getClassLoader(),
                new Class<?>[] {DatabaseClient.class},
                (proxy, method, given) -> {
                  throw new UnsupportedOperationException(method.getName());
                });
    ClassPath.same(SpannerSequenceStore.create(client).isOrdered(), true);
    ClassPath.same(BitReversal.PRESERVING_SIGN.apply(1L), 1L << 62);
  }
}
