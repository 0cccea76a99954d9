package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A fault of a network, which lasts until {@link #mend}.
 *
 * @param time how long it should last
 */
record NetworkFault(Faults.Kind kind, Duration time) {

  private static final List<Faults.Kind> KINDS =
      List.of(Faults.Kind.SLOW, Faults.Kind.DRIP, Faults.Kind.CUT, Faults.Kind.SILENCE);

  private static final Duration DRIP = Duration.ofMillis(2);

  /** Longer than a generator's reservationTimeout, partly. */
  private static final int LONGEST_SILENCE = 7_000;

  /** Begins a fault that is chosen at random. */
  static NetworkFault begin(TcpProxy proxy, RandomGenerator random) {
    Faults.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    Duration time = millis(random, 500, 3_000);
    switch (kind) {
      case SLOW -> proxy.delay(millis(random, 1, 30), millis(random, 1, 100));
      case DRIP -> proxy.drip(random.nextInt(1, 64), DRIP);
      case CUT -> proxy.cut();
      default -> {
        proxy.fallSilent();
        time = millis(random, 2_000, LONGEST_SILENCE);
      }
    }
    return new NetworkFault(kind, time);
  }

  /** Connections that fell silent break at last: what they hold in the database must end. */
  static void mend(TcpProxy proxy) {
    proxy.cut();
    proxy.mend();
  }

  private static Duration millis(RandomGenerator random, int shortest, int longest) {
    return Duration.ofMillis(random.nextInt(shortest, longest));
  }
}
