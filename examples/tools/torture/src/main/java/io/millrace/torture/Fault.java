package io.millrace.torture;

import io.millrace.databases.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** What happens to a process or its network. */
enum Fault {
  KILL("killed"),
  PAUSE("paused beyond the timeouts"),
  LEAVE("disposed its generators and ended"),
  SLOW("network slow"),
  DRIP("network drips"),
  CUT("connections cut"),
  SILENCE("connections half-open");

  private static final List<Fault> OF_NETWORK = List.of(SLOW, DRIP, CUT, SILENCE);

  private final String text;

  Fault(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  static Fault ofNetwork(RandomGenerator random) {
    return OF_NETWORK.get(random.nextInt(OF_NETWORK.size()));
  }

  /**
   * Harms a network.
   *
   * @return how long the fault should last; silence sometimes exceeds the timeout of a reservation
   */
  Duration begin(TcpProxy proxy, RandomGenerator random) {
    switch (this) {
      case SLOW -> proxy.delay(millis(random, 1, 30), millis(random, 1, 100));
      case DRIP -> proxy.drip(random.nextInt(1, 64), Duration.ofMillis(2));
      case CUT -> proxy.cut();
      case SILENCE -> proxy.fallSilent();
      default -> throw new IllegalArgumentException("not a fault of a network: " + this);
    }
    return this == SILENCE ? millis(random, 2_000, 7_000) : millis(random, 500, 3_000);
  }

  static Duration millis(RandomGenerator random, int shortest, int longest) {
    return Duration.ofMillis(random.nextInt(shortest, longest));
  }
}
