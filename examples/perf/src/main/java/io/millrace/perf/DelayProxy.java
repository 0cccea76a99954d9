package io.millrace.perf;

import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * A TCP proxy on the loopback interface that holds what passes for half of a round trip's time,
 * either way. It shifts the stream in time: what came together leaves together, and in order. It
 * slows it where more than 1,024 chunks are to be under way in one direction.
 *
 * <p>Bounded by Netty's flow control: a side that does not read stops the side that writes. When
 * one side closes its connection, the other's is closed too, as much later; a side that closes only
 * its writing half is taken to have closed both, and is told nothing any more. {@link #close} ends
 * the proxy with all connections.
 */
final class DelayProxy implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Chunks that may be under way in one direction; beyond that the stream is slowed. */
  private static final int UNDER_WAY = 1_024;

  private record Late<T>(T signal, long due) {}

  private final Duration delay;
  private final Scheduler clock;
  private final LoopResources threads;
  private final TcpClient target;
  private final DisposableServer server;

  /** Of both sides, to be closed before their threads are. */
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  /** What is carried between two sides, and connections that are being made. */
  private final Disposable.Composite carried = Disposables.composite();

  private final LongAdder bytes = new LongAdder();

  private DelayProxy(String host, int port, Duration delay, Scheduler clock) {
    this.delay = delay;
    this.clock = clock;
    this.threads = LoopResources.create("delay-proxy", 1, true);
    this.target =
        TcpClient.newConnection()
            .host(host)
            .port(port)
            .runOn(threads)
            .noProxy()
            .doOnConnected(connection -> connections.add(connection.channel()));
    try {
      this.server =
          TcpServer.create()
              .host("localhost")
              .port(0)
              .runOn(threads)
              .doOnConnection(this::carry)
              .bindNow(LIMIT);
    } catch (RuntimeException | Error e) {
      threads.dispose();
      clock.dispose();
      throw e;
    }
  }

  /** Starts a proxy before a server, which makes a round trip to it that much longer. */
  static DelayProxy start(String host, int port, Duration roundTrip) {
    return start(
        host, port, roundTrip.dividedBy(2), Schedulers.newSingle("delay-proxy-clock", true));
  }

  /** As above, with a clock of the caller's; the proxy disposes it. */
  static DelayProxy start(String host, int port, Duration delay, Scheduler clock) {
    return new DelayProxy(host, port, delay, clock);
  }

  /** On its own, since a handler of reactor-netty is cancelled as soon as its connection closes. */
  private void carry(Connection client) {
    connections.add(client.channel());
    carried.add(
        target
            .connect()
            .flatMap(
                upstream ->
                    Mono.whenDelayError(
                        shifted(client.inbound(), upstream), shifted(upstream.inbound(), client)))
            .doFinally(signal -> client.dispose())
            .subscribe(done -> {}, failure -> {}));
  }

  /** Each chunk leaves so much later than it came, and at last the end, in order. */
  private Mono<Void> shifted(NettyInbound in, Connection out) {
    Flux<byte[]> late =
        in.receive()
            .asByteArray()
            .materialize() // so that the end is delayed like a chunk
            .map(signal -> new Late<>(signal, clock.now(TimeUnit.NANOSECONDS) + delay.toNanos()))
            .doOnNext(stamped -> count(stamped.signal()))
            .concatMap(this::whenDue, UNDER_WAY)
            .dematerialize();
    return out.outbound()
        .send(late.map(Unpooled::wrappedBuffer), each -> true)
        .then()
        .doFinally(signal -> out.dispose());
  }

  /** What is counted has its time: whoever sees the count may move a virtual clock on. */
  private void count(Signal<byte[]> signal) {
    byte[] chunk = signal.get();
    if (chunk != null) {
      bytes.add(chunk.length);
    }
  }

  private <T> Mono<T> whenDue(Late<T> late) {
    long left = Math.max(0, late.due() - clock.now(TimeUnit.NANOSECONDS));
    return Mono.delay(Duration.ofNanos(left), clock).thenReturn(late.signal());
  }

  /** Where to connect, instead of to the server: {@code host:port}. */
  String address() {
    return "localhost:" + port();
  }

  int port() {
    return server.port();
  }

  /** How many bytes have come from either side so far. */
  long bytes() {
    return bytes.sum();
  }

  @Override
  public void close() {
    try {
      server.disposeNow(LIMIT);
    } finally {
      try {
        carried.dispose();
        connections.close().awaitUninterruptibly(LIMIT.toMillis());
        threads.disposeLater(Duration.ZERO, LIMIT).block(LIMIT);
      } finally {
        clock.dispose();
      }
    }
  }
}
