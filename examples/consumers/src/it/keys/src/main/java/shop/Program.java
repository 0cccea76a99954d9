package shop;

import io.millrace.key.BitReversal;
import io.millrace.key.Shards;

/** Spreads two keys. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has("millrace-keys", "millrace-core", "guava", "reactor-core-3.8");
    ClassPath.lacks("google-cloud", "grpc", "protobuf", "r2dbc", "spring", "micrometer");
    ClassPath.same(BitReversal.PRESERVING_SIGN.apply(1L), 1L << 62);
    Shards.farmFingerprint(64).apply("customer");
  }
}
