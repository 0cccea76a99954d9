package io.millrace.benchmark;

import org.openjdk.jmh.infra.Blackhole;

/** Prevents the JIT compiler from eliminating the code that creates the values. */
final class BlackholeOutlet extends Outlet {

  private final Blackhole blackhole;

  BlackholeOutlet(Blackhole blackhole) {
    this.blackhole = blackhole;
  }

  @Override
  void take(Object value) {
    blackhole.consume(value);
  }

  @Override
  void take(long value) {
    blackhole.consume(value);
  }
}
